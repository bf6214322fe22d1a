import { fileURLToPath } from 'node:url';
import type { ErrorCode } from '../errors/catalogue.js';
import type { ConfigurationProblem } from '../errors/configuration-error.js';

/**
 * In strict code, Bun's engine drops the frame of a function that ends with a call. So the factory may be missing
 * in the stack, and then nothing is left of it.
 */
const DROPS_FRAMES = 'Bun' in globalThis;

/**
 * The place of a decorator. Creating it costs little, because V8 renders a stack trace only when somebody
 * reads it.
 */
export class CallSite {
  declare private readonly stack: string;

  /** @param factory the decorator's factory; the site is where it was called */
  constructor(factory: (...args: never[]) => unknown) {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 1;
    Error.captureStackTrace(this, factory);
    if (DROPS_FRAMES && !this.stack.includes('\n')) {
      Error.stackTraceLimit = 10;
      Error.captureStackTrace(this);
    }
    Error.stackTraceLimit = limit;
  }

  /** `file:line:column`; undefined if the engine does not know it. */
  get location(): string | undefined {
    const places = this.stack.split('\n').flatMap((frame) => placeOf(frame) ?? []);
    const [own] = places.map(fileOf);
    // In a bundle, all frames are of one file.
    return places.find((place) => fileOf(place) !== own) ?? places.at(-1);
  }

  /** The absolute path of the file; undefined if the engine does not know it. */
  get file(): string | undefined {
    return fileOf(this.location);
  }
}

/**
 * The place where a function of this name was called; undefined if it is not on the stack any more. It reads a whole
 * stack, so it is for errors only.
 */
export function callerOf(name: string): string | undefined {
  const { stackTraceLimit, prepareStackTrace } = Error;
  Error.stackTraceLimit = 30;
  // Test runners that map places to sources change the names of functions in a stack. The engine's own names are read here.
  Error.prepareStackTrace = (_, sites) => sites.map((site) => site.getFunctionName());
  const names = new Error().stack as unknown as readonly (string | null)[] | undefined;
  Error.prepareStackTrace = prepareStackTrace;
  const frames = new Error().stack?.split('\n').slice(1) ?? [];
  Error.stackTraceLimit = stackTraceLimit;
  const own = Array.isArray(names) ? names.lastIndexOf(name) : -1;
  return own < 0 ? undefined : placeOf(frames[own + 1] ?? '');
}

function placeOf(frame: string): string | undefined {
  const place = /((?:file:\/\/|[A-Za-z]:[\\/]|\/)[^()]*:\d+:\d+)\)?$/.exec(frame)?.[1];
  if (!place?.startsWith('file://')) return place;
  const position = /:\d+:\d+$/.exec(place)?.[0] ?? '';
  return fileURLToPath(place.slice(0, place.length - position.length)) + position;
}

function fileOf(place: string | undefined): string | undefined {
  return place?.replace(/:\d+:\d+$/, '');
}

/** A problem at the place of a decorator. */
export function problemAt(
  site: Pick<CallSite, 'location'> | undefined,
  code: ErrorCode,
  { message, fix }: { message: string; fix: string },
): ConfigurationProblem {
  const location = site?.location;
  return { code, message, fix, ...(location && { location }) };
}
