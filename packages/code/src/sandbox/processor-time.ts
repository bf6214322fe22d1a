import { readFileSync } from 'node:fs';

/**
 * How long this thread has had a processor, in milliseconds. On a busy machine that is less than the time that has passed. Node.js 20
 * knows it only of the whole process.
 *
 * @returns `undefined` where the system does not say
 */
export function processorTime(): number | undefined {
  try {
    const [nanoseconds] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ');
    return Number(nanoseconds) / 1e6;
  } catch {
    return undefined;
  }
}
