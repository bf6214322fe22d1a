import { fileURLToPath } from 'node:url';

/** Where a decorator was written. Costs little to make: V8 renders a stack trace only when it is read. */
export class CallSite {
  declare private readonly stack: string;

  /** @param factory the decorator's factory; the frame that called it is the site */
  constructor(factory: (...args: never[]) => unknown) {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 1;
    Error.captureStackTrace(this, factory);
    Error.stackTraceLimit = limit;
  }

  /** `file:line:column`, or undefined where the engine cannot tell. */
  get location(): string | undefined {
    const frame = this.stack.slice(this.stack.lastIndexOf('\n') + 1);
    const place = /((?:file:\/\/|[A-Za-z]:[\\/]|\/)[^()]*:\d+:\d+)\)?$/.exec(frame)?.[1];
    if (!place?.startsWith('file://')) return place;
    const position = /:\d+:\d+$/.exec(place)?.[0] ?? '';
    return fileURLToPath(place.slice(0, place.length - position.length)) + position;
  }

  /** Absolute path of the file, or undefined where the engine cannot tell. */
  get file(): string | undefined {
    return this.location?.replace(/:\d+:\d+$/, '');
  }
}
