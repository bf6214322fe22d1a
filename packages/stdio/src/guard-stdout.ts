import { Socket } from 'node:net';
import { Writable } from 'node:stream';
import { guardDescriptor } from './guard-descriptor.js';

/** The process has one standard output, also where it has two copies of this package. */
const HELD = Symbol.for('toolwright.heldStdout');

/** Standard output while it belongs to the protocol. */
interface HeldStdout {
  /** Writes to the real standard output. */
  readonly protocol: Writable;
  /** How many bytes were printed before, as far as the stream counts them. */
  readonly printed: number;
  /** How many want it to stay so. */
  users: number;
  restore(): void;
}

const holder = globalThis as { [HELD]?: HeldStdout | undefined };

/**
 * Keeps standard output for the protocol: what this process and its children print goes to standard error. `serveStdio`
 * does it too, but only when it is called, and some modules print as soon as they are imported. So call this in a file
 * that is imported before all others.
 *
 * It covers `console`, `process.stdout` and references to it, descriptor 1 in functions of `node:fs`, and children that
 * inherit their output. It does not cover code that is not JavaScript.
 *
 * @returns the function that gives standard output back
 * @example
 * if (process.argv.includes('--stdio')) guardStdout();
 */
export function guardStdout(): () => void {
  return holdStdout().release;
}

/** @returns what the protocol writes to, what was printed before, and the function that gives standard output back */
export function holdStdout(): Pick<HeldStdout, 'protocol' | 'printed'> & { release: () => void } {
  const held = (holder[HELD] ??= takeStdout());
  held.users++;
  let isReleased = false;
  const release = () => {
    if (isReleased) return;
    isReleased = true;
    if (--held.users > 0) return;
    holder[HELD] = undefined;
    held.restore();
  };
  return { protocol: held.protocol, printed: held.printed, release };
}

/**
 * The stream stays in place, because the app may have a reference to it already. Only what lies below its buffer is
 * another: everybody else's text goes to standard error, and the protocol's to where the stream wrote before.
 */
function takeStdout(): HeldStdout {
  // Both are opened by this: standard output may use functions of `node:fs` that change afterwards.
  const { stdout, stderr } = process as { stdout: Writable; stderr: Writable };
  const { bytesWritten: printed = 0 } = stdout as Partial<Socket>;
  const write = stdout._write.bind(stdout);
  const protocol = new Writable({
    // The stream of a file counts in bytes. Sockets take text, which costs less.
    decodeStrings: !(stdout instanceof Socket),
    highWaterMark: stdout.writableHighWaterMark,
    write: (chunk, encoding, callback) => write(chunk, encoding, callback),
  });
  const own = {
    _write(chunk: unknown, encoding: BufferEncoding, callback: () => void) {
      // What standard error does not take is lost. It must not become an error of whoever prints.
      if (stderr.writableNeedDrain) return void stderr.write(chunk, encoding, () => callback());
      stderr.write(chunk, encoding);
      // At once, so that nothing waits in a buffer when the process exits.
      callback();
    },
    _writev: null,
    // The app may end its stream. The protocol goes on.
    _final: (callback: () => void) => callback(),
  };
  const before = Object.keys(own).map(
    (name) => [name, Object.getOwnPropertyDescriptor(stdout, name)] as const,
  );
  Object.assign(stdout, own);
  // A host may have closed standard error.
  const ignore = () => undefined;
  stderr.on('error', ignore);
  const restoreDescriptor = guardDescriptor();
  const restore = () => {
    restoreDescriptor();
    stderr.off('error', ignore);
    for (const [name, descriptor] of before) {
      if (descriptor) Object.defineProperty(stdout, name, descriptor);
      else Reflect.deleteProperty(stdout, name);
    }
  };
  return { protocol, printed, users: 0, restore };
}
