/** `toolwright dev` leaves a function here, to which core announces servers. It follows those of its own process. */
const SERVER_OBSERVER = Symbol.for('toolwright.serverObserver');

/** True in a process of `toolwright dev`. */
export function isDeveloped(): boolean {
  return SERVER_OBSERVER in globalThis;
}
