import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import type { Clock, Logger } from '@toolwright/core';

const EVERY_MS = 1_000;
const EXHAUSTED = new Set(['EMFILE', 'ENFILE']);

/**
 * Logs when this process has no free file descriptor any more, and when it has one again. Node.js itself says nothing:
 * it closes each new connection at once, so that clients see connections that break for no reason.
 *
 * @returns a function that ends the watch
 */
export function watchDescriptors({ clock, logger }: { clock: Clock; logger: Logger }): () => void {
  let isExhausted = false;
  let cancel = () => {};
  const look = () => {
    const code = errorOfOpening();
    if (code && EXHAUSTED.has(code) && !isExhausted) {
      isExhausted = true;
      logger.error(
        { code, pid: process.pid },
        'No file descriptor is free. New connections are closed at once. Raise the limit (ulimit -n), or find what is left open',
      );
    } else if (!code && isExhausted) {
      isExhausted = false;
      logger.warn({ pid: process.pid }, 'File descriptors are free again');
    }
    cancel = clock.after(EVERY_MS, look);
  };
  cancel = clock.after(EVERY_MS, look);
  return () => cancel();
}

/** Opening the null device takes 10 µs and needs nothing but a descriptor. */
function errorOfOpening(): string | undefined {
  try {
    closeSync(openSync(devNull, 'r'));
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}
