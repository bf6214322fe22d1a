import { isPromise, type MaybePromise } from '../../base/maybe-promise.js';
import { Outage } from '../../call/limits/outage.js';
import type { ClaimStore } from '../../ports/claim-store.js';
import type { Clock } from '../../ports/clock.js';
import type { Logger } from '../../ports/logger.js';
import type { SessionRecord, SessionRecords } from '../../ports/session-records.js';
import type { Session, SharedSession } from './session.js';
import type { HearSession, SessionPeers } from './session-peers.js';

/** How long the claims are believed, in milliseconds. The bus tells earlier, unless it has lost the message. */
const TRUSTED_MS = 30_000;
/** How often a session is checked that could not be checked before, in milliseconds. */
const CHECK_AGAIN_MS = 1_000;

export interface SharedSessionPorts {
  /** Remembers which sessions their clients have ended. */
  readonly claims: ClaimStore;
  /** What clients have asked for. `undefined`: it is lost when its process ends. */
  readonly records: SessionRecords | undefined;
  /** The other processes. `undefined`: there are none. */
  readonly peers: SessionPeers | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * What sessions with sealed ids share with other processes, and with the processes that come after this one:
 * which of them have ended, what their clients have asked for, and messages between the processes.
 */
export class SharedSessions {
  readonly #checkedAt = new WeakMap<Session, number>();

  readonly #claims: Outage;
  readonly #records: Outage;

  constructor(private readonly ports: SharedSessionPorts) {
    const { logger } = ports;
    this.#claims = new Outage('claim store', logger, 'nobody can say which sessions have ended');
    this.#records = new Outage('store of session records', logger, 'what clients ask for is not shared');
  }

  /** How one session reaches the others. */
  of(key: string, expires: number): SharedSession {
    const { peers } = this.ports;
    return {
      ...(peers && { tell: (message) => peers.tell(key, message) }),
      keep: (record) => this.#keep(key, record, expires),
    };
  }

  join(key: string, hear: HearSession): () => void {
    return this.ports.peers?.join(key, hear) ?? (() => undefined);
  }

  /** True when the client has ended the session at some process; `undefined` when nobody can say so. */
  async isEnded(key: string): Promise<boolean | undefined> {
    try {
      const isClaimed = await this.ports.claims.has!(claimOf(key));
      this.#claims.answered();
      return isClaimed;
    } catch (error) {
      this.#claims.failed(error);
      return undefined;
    }
  }

  /** Checks a session again that is in use, in the background. `ended` is called when its client has ended it. */
  check(session: Session, ended: () => void): void {
    const { clock } = this.ports;
    const age = clock.now() - (this.#checkedAt.get(session) ?? 0);
    if (age < (session.isUnverified ? CHECK_AGAIN_MS : TRUSTED_MS)) return;
    this.noteCheck(session);
    void this.isEnded(session.key).then((isEnded) => {
      if (isEnded) ended();
      else if (isEnded === false) session.isUnverified = false;
    });
  }

  noteCheck(session: Session): void {
    this.#checkedAt.set(session, this.ports.clock.now());
  }

  /** The client has ended its session. No process serves it any more. */
  async end({ key, expires }: Session): Promise<void> {
    const { claims, clock, peers, records, logger } = this.ports;
    peers?.tell(key, { kind: 'ended' });
    try {
      await claims.claim(claimOf(key), Math.max(1, expires - clock.now()));
      await records?.delete(key);
    } catch (err) {
      logger.error({ err }, 'The end of a session could not be stored; another process may still serve it');
    }
  }

  /** What the client has asked for. `undefined` also when the store is away. */
  async recordOf(key: string): Promise<SessionRecord | undefined> {
    try {
      const record = await this.ports.records?.get(key);
      this.#records.answered();
      return record;
    } catch (error) {
      this.#records.failed(error);
      return undefined;
    }
  }

  #keep(key: string, record: SessionRecord, expires: number): MaybePromise<void> {
    const { records, clock } = this.ports;
    const failed = (error: unknown) => this.#records.failed(error);
    try {
      const kept = records?.set(key, record, Math.max(1, expires - clock.now()));
      return isPromise(kept) ? kept.catch(failed) : undefined;
    } catch (error) {
      failed(error);
    }
  }
}

function claimOf(key: string): string {
  return `session-ended:${key}`;
}
