import { serveNobody } from './child/serve-nobody.js';

/** Nothing that acts by itself begins while this is in `globalThis`: tasks, schedules, audit logs. */
export const ONLY_INSPECTED = Symbol.for('toolwright.onlyInspected');

/**
 * Prepares a process or a thread that loads the classes of a project. A file with a class may also make a server and serve
 * it: then no port is opened, and nothing begins.
 */
export function lookOnly(): void {
  serveNobody(() => undefined);
  Object.assign(globalThis, { [ONLY_INSPECTED]: true });
}
