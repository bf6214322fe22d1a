import { fileURLToPath } from 'node:url';

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
    Error.stackTraceLimit = limit;
  }

  /** `file:line:column`; undefined if the engine does not know it. */
  get location(): string | undefined {
    const frame = this.stack.slice(this.stack.lastIndexOf('\n') + 1);
    const place = /((?:file:\/\/|[A-Za-z]:[\\/]|\/)[^()]*:\d+:\d+)\)?$/.exec(frame)?.[1];
    if (!place?.startsWith('file://')) return place;
    const position = /:\d+:\d+$/.exec(place)?.[0] ?? '';
    return fileURLToPath(place.slice(0, place.length - position.length)) + position;
  }

  /** The absolute path of the file; undefined if the engine does not know it. */
  get file(): string | undefined {
    return this.location?.replace(/:\d+:\d+$/, '');
  }
}
