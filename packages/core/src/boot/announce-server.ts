/**
 * The property of `globalThis` in which a module that was loaded with `node --require` leaves a function. It
 * is called with each new server. `toolwright dev` finds the services in this way, and replaces them while
 * they are edited.
 */
const SERVER_OBSERVER = Symbol.for('toolwright.serverObserver');

type Holder<Server> = { [SERVER_OBSERVER]?: (server: Server) => void };

/** Calls the function that such a module left, if any. */
export function announceServer<Server extends object>(server: Server): void {
  (globalThis as Holder<Server>)[SERVER_OBSERVER]?.(server);
}
