import type { Logger } from './logger.js';

/**
 * Property of `globalThis` where a module that is loaded before the application leaves the logger of servers that bring
 * none. `toolwright dev` writes for people there.
 */
export const DEFAULT_LOGGER = Symbol.for('toolwright.defaultLogger');

/** The logger that a loaded hook left, if any. */
export function ambientLogger(): Logger | undefined {
  return (globalThis as { [DEFAULT_LOGGER]?: Logger })[DEFAULT_LOGGER];
}
