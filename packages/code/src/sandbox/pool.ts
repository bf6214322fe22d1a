import type { ExtensionHost } from '@toolwright/core/extend';
import { Room } from './room.js';
import { Sandbox } from './sandbox.js';

/** When the thread for the next program is started, in milliseconds. Most programs are over by then, and their thread is free. */
const LATER = 50;

/** A thread for one program, and the memory that both have. */
export interface Seat {
  readonly sandbox: Sandbox;
  readonly room: Room;
}

/**
 * The threads of a server. Some wait warm, so that a program begins at once. At most `programs` programs work at a time; one
 * that waits for a call or for a person keeps its thread, and works no more. Callers take turns, as for the slots of calls.
 */
export class SandboxPool {
  readonly #warm: Sandbox[] = [];
  readonly #place: ReturnType<ExtensionHost['places']>;
  #isClosed = false;
  readonly #used = new Set<Sandbox>();

  /** @param programs how many work at a time. As many threads wait at most */
  constructor(
    private readonly programs: number,
    host: Pick<ExtensionHost, 'places'>,
  ) {
    this.#place = host.places(programs);
  }

  /** Starts a thread, so that the next program need not wait. */
  warm(): void {
    if (!this.#isClosed && this.#warm.length === 0) this.#warm.push(new Sandbox());
  }

  /**
   * A place for one program. Give it back.
   *
   * @param party the caller, or its tenant
   * @returns `undefined` when there is no memory for another program of this party
   */
  take(party: string): Seat | undefined {
    const room = Room.enter(party);
    if (!room) return undefined;
    let sandbox = this.#warm.pop();
    while (sandbox && !sandbox.isUsable) sandbox = this.#warm.pop();
    try {
      sandbox ??= new Sandbox();
    } catch (error) {
      room.leave();
      throw error;
    }
    this.#used.add(sandbox);
    // Not now: the thread that starts would take the time of the program.
    if (this.#warm.length === 0) setTimeout(() => this.warm(), LATER).unref();
    return { sandbox, room };
  }

  giveBack({ sandbox, room }: Seat): void {
    this.#used.delete(sandbox);
    if (this.#warm.length >= this.programs || this.#isClosed || sandbox.isUsedUp || !sandbox.isUsable)
      return void sandbox.end().then(() => room.leave());
    sandbox.leave();
    room.leave();
    // The one that has had the longest time to get ready is taken next.
    this.#warm.unshift(sandbox);
  }

  /** Waits for the turn of its caller to work, and works. */
  async work<T>(caller: string, run: () => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    const leave = await this.#place(caller, signal);
    try {
      signal.throwIfAborted();
      return await run();
    } finally {
      leave?.();
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const sandbox of [...this.#warm.splice(0), ...this.#used]) void sandbox.end();
  }
}
