/**
 * Property of `globalThis` where a module loaded with `node --require` leaves a function that hears of each server that
 * was made. This is how `toolwright dev` finds the services that it replaces while they are edited.
 */
const SERVER_OBSERVER = Symbol.for('toolwright.serverObserver');

type Holder<Server> = { [SERVER_OBSERVER]?: (server: Server) => void };

/** Tells the observer that a loaded hook left, if any. */
export function announceServer<Server extends object>(server: Server): void {
  (globalThis as Holder<Server>)[SERVER_OBSERVER]?.(server);
}
