import { randomBytes } from 'node:crypto';
import { monotonic } from '@toolwright/ground/ports/clock-and-ids';
import { EventStream, type EventSink, type StreamOwner } from './event-stream.js';
import type { ListeningClaim } from './session-peers.js';

/** The id of the stream. */
export const CHANGES = 'standalone';
/** How many milliseconds another process has to let go of the stream. */
const RELEASE_MS = 300;

/** Disconnects a client from its stream. The stream itself goes on. */
export type Detach = () => void;

/**
 * The stream of a session for messages that belong to no request. One process has it at a time: the one where the
 * client has connected last.
 */
export class ChangeStream {
  /** Undefined while this process does not have it. */
  current: EventStream | undefined;
  /** The highest turn that this process knows of. */
  #turn = 0;
  #claim: (ListeningClaim & { readonly at: number }) | undefined;
  /** False until the process that had the stream before has stored what it sent. */
  #isReleased = true;
  /** The callers that wait for that. Most sessions never have one, so the set is made at first need. */
  #waiting: Set<() => void> | undefined;

  constructor(private readonly owner: StreamOwner) {}

  /** Connects a client that needs no replay. */
  listen(sink: EventSink): Detach {
    if (!this.current && this.owner.tell) this.#isReleased = false;
    // Others may answer at once, so the client is connected first.
    const detach = this.#attach(sink);
    this.#makeClaim();
    return detach;
  }

  /** Connects a client that wants what it missed. Resolves when all of that is stored, whichever process sent it. */
  async resume(sink: EventSink): Promise<Detach> {
    const detach = this.current ? this.#attach(sink) : this.listen(sink);
    await this.#whenReleased();
    return detach;
  }

  /**
   * Another process has the client now, unless both took it at the same moment. Then each has heard the other, the
   * earlier claim yields, and the later one is repeated. A process that hears the repetition and has not yielded did
   * not hear the claim the first time. So it joined later, and takes the client again.
   *
   * @param claim missing if the other process has an older release
   */
  hearListening(claim: ListeningClaim | undefined): void {
    this.#turn = Math.max(this.#turn, claim?.turn ?? 0);
    const own = this.#claim;
    if (own && claim && this.current?.connected) {
      if (claim.isRepeated) return this.#makeClaim();
      if (this.#isFresh && isLater(own, claim)) return this.#tellClaim({ ...own, isRepeated: true });
    }
    void this.#release();
  }

  hearReleased(): void {
    this.#isReleased = true;
    for (const resolve of this.#waiting ?? []) resolve();
  }

  end(): void {
    this.current?.end();
    this.current = undefined;
  }

  /** A claim that another process could not know when it made its own. */
  get #isFresh(): boolean {
    return this.#claim !== undefined && monotonic(this.owner.clock) < this.#claim.at + RELEASE_MS;
  }

  #makeClaim(): void {
    this.#claim = {
      turn: ++this.#turn,
      by: randomBytes(6).toString('base64url'),
      at: monotonic(this.owner.clock),
    };
    this.#tellClaim(this.#claim);
  }

  #tellClaim({ turn, by, isRepeated }: ListeningClaim): void {
    const claim = { turn, by, ...(isRepeated && { isRepeated }) };
    this.owner.tell?.({ kind: 'listening', claim });
  }

  #attach(sink: EventSink): Detach {
    const origin = `${randomBytes(6).toString('hex')}-`;
    const stream = (this.current ??= new EventStream(CHANGES, this.owner, origin));
    stream.attach(sink);
    return () => stream.detach(sink);
  }

  /** Everything that this process has sent is stored before it says so. */
  async #release(): Promise<void> {
    const stream = this.current;
    if (!stream) return;
    this.end();
    await stream.stored;
    this.owner.tell?.({ kind: 'released' });
  }

  #whenReleased(): Promise<void> | undefined {
    if (this.#isReleased || !this.#claim) return undefined;
    const { clock } = this.owner;
    const leftMs = this.#claim.at + RELEASE_MS - monotonic(clock);
    if (leftMs <= 0) return undefined;
    const waiting = (this.#waiting ??= new Set());
    return new Promise((resolve) => {
      const done = () => {
        cancel();
        waiting.delete(done);
        resolve();
      };
      const cancel = clock.after(leftMs, done);
      waiting.add(done);
    });
  }
}

function isLater(one: ListeningClaim, other: ListeningClaim): boolean {
  return one.turn === other.turn ? one.by > other.by : one.turn > other.turn;
}
