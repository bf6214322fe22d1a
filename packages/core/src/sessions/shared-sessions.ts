import { isLogLevel } from '@toolwright/ground/base/log';
import { Outage, within } from '@toolwright/ground/call/limits/timed-store';
import { type ClaimOwner, claimLifetime } from '@toolwright/ground/ports/claim-store';
import { monotonic } from '@toolwright/ground/ports/clock-and-ids';
import type { SessionRecord } from '@toolwright/ground/ports/record-store';
import type {
  ServerStores,
  DataOwner,
  SubjectRecords,
  SubjectSource,
} from '@toolwright/ground/ports/server-stores';
import { type MaybePromise, isPromise } from '@toolwright/json';
import { isJsonObject } from '@toolwright/wire/json-rpc';
import type { HearSession, SessionMessage, SessionPeers } from './session-peers.js';
import type { Session, SharedSession } from './session.js';
import type { ProtocolHost } from '../requests/engine.js';
import { dataOwnerDigest } from './session-id.js';

/**
 * How long an answer of the claim store is used, in milliseconds. The bus reports a change earlier, unless it lost
 * the message.
 */
const TRUSTED_MS = 30_000;
/** How often a session is checked that could not be checked before, in milliseconds. */
const CHECK_AGAIN_MS = 1_000;
/** How many ends of sessions wait for the claims. */
const MOST_UNSTORED = 10_000;
/** How long the store of records may take, in milliseconds. */
const RECORDS_MS = 1_000;

/** After how many milliseconds a process asks again whether the same caller continues a session at another process. */
const RISE_PAUSES_MS = [20, 80, 300];

/** The end of a session: when its id expires, and who owns it. */
interface End {
  readonly expires: number;
  readonly owner: ClaimOwner;
}

/** What is known about a session that this process does not have. */
export interface SessionFacts {
  /** `undefined` while the store that knows it is away. */
  readonly isEnded: boolean | undefined;
  readonly record: SessionRecord | undefined;
  /** What other processes have said in the meantime: the stores may have answered before them. */
  readonly heard: readonly SessionMessage[];
}

/**
 * What sessions with sealed ids share with other processes, and with the processes that come after this one:
 * which of them have ended, what their clients have asked for, and messages between the processes.
 */
export class SharedSessions implements SharedSession {
  /** Sessions whose end the claims do not know yet, and when their ids expire. No request resumes them here. */
  readonly #unstored = new Map<string, End>();
  #cancelStoring: (() => void) | undefined;
  readonly #outages: { readonly claims: Outage; readonly records: Outage };

  /** @param peers the other processes. `undefined`: this process serves alone */
  constructor(
    private readonly host: Pick<ProtocolHost, 'clock' | 'logger' | 'endedSessions' | 'stores'>,
    private readonly peers: SessionPeers | undefined,
  ) {
    const { logger } = host;
    this.#outages = {
      claims: new Outage('claim store', logger, 'nobody can say which sessions have ended'),
      records: new Outage('store of session records', logger, 'what clients ask for is not shared'),
    };
  }

  get hasPeers(): boolean {
    return this.peers !== undefined;
  }

  tell(key: string, message: SessionMessage): void {
    this.peers?.tell(key, message);
  }

  join(key: string, hear: HearSession): () => void {
    return this.peers?.join(key, hear) ?? (() => undefined);
  }

  /** Finds out what is known about a session, and hands it to `use`. */
  async find<T>(key: string, use: (facts: SessionFacts) => T): Promise<T> {
    const heard: SessionMessage[] = [];
    const leave = this.join(key, (message) => heard.push(message));
    try {
      const [isEnded, record] = await Promise.all([this.#isEnded(key), this.recordOf(key)]);
      return use({ isEnded: heard.some(({ kind }) => kind === 'ended') || isEnded, record, heard });
    } finally {
      leave();
    }
  }

  /** Checks a session again that is in use, in the background. `ended` is called when its client has ended it. */
  check(session: Session, ended: () => void): void {
    const { clock } = this.host;
    const age = monotonic(clock) - session.checkedAt;
    if (age < (session.isUnverified ? CHECK_AGAIN_MS : TRUSTED_MS)) return;
    this.noteCheck(session);
    void this.#isEnded(session.key).then((isEnded) => {
      if (isEnded) ended();
      else if (isEnded === false) session.isUnverified = false;
    });
  }

  /**
   * A client that was anonymous has signed in. Its anonymous session ends, and no other caller may continue it.
   *
   * @param to the key of the session that continues it
   * @returns false when the session had ended, or another caller continues it
   * @throws when the claims do not answer
   */
  async rise(from: string, to: string, { expires, owner }: End): Promise<boolean> {
    const { peers } = this;
    const { endedSessions: claims, clock } = this.host;
    const lifetime = claimLifetime(expires, clock);
    if (await claims.has!(riseOf(to))) return true;
    if (await claims.claim(claimOf(from), lifetime, owner)) {
      await claims.claim(riseOf(to), lifetime, owner);
      peers?.tell(from, { kind: 'ended' });
      return true;
    }
    // Requests that the client sent at the same time reached several processes. Another process was faster.
    for (const ms of RISE_PAUSES_MS) {
      await new Promise<void>((resolve) => void clock.after(ms, resolve));
      if (await claims.has!(riseOf(to))) return true;
    }
    return false;
  }

  noteCheck(session: Session): void {
    session.checkedAt = monotonic(this.host.clock);
  }

  /** The client has ended its session. No process serves it any more. */
  async end({ key, expires }: Session, owner: ClaimOwner): Promise<void> {
    const { sessions: records } = this.host.stores;
    if (this.#unstored.size >= MOST_UNSTORED) this.#unstored.delete(this.#unstored.keys().next().value!);
    const end = { expires, owner };
    this.#unstored.set(key, end);
    await this.#storeEnd(key, end);
    await this.#outages.records.ask(() => this.#inTime(records?.delete(key)));
  }

  /** The process stops. Nothing is stored any more. */
  stop(): void {
    this.#cancelStoring?.();
  }

  /** True when the client has ended the session at some process; `undefined` when nobody can say so. */
  async #isEnded(key: string): Promise<boolean | undefined> {
    if (this.#unstored.has(key)) return true;
    return (await this.#outages.claims.ask(() => this.host.endedSessions.has!(claimOf(key))))?.value;
  }

  /** Stores the end of a session, now or as soon as the claims answer, and tells the other processes. */
  async #storeEnd(key: string, { expires, owner }: End): Promise<void> {
    const { peers } = this;
    const { endedSessions: claims, clock } = this.host;
    const isStored = await this.#outages.claims.ask(() =>
      claims.claim(claimOf(key), claimLifetime(expires, clock), owner),
    );
    if (isStored) this.#unstored.delete(key);
    else
      this.#cancelStoring ??= clock.after(CHECK_AGAIN_MS, () => {
        this.#cancelStoring = undefined;
        for (const [each, end] of [...this.#unstored]) void this.#storeEnd(each, end);
      });
    // Whoever hears it and asks the claims gets the same answer, if they answer.
    peers?.tell(key, { kind: 'ended' });
  }

  /** What the client has asked for. `undefined` also when the store is away. */
  async recordOf(key: string): Promise<SessionRecord | undefined> {
    const kept = await this.#outages.records.ask(() => this.#inTime(this.host.stores.sessions?.get(key)));
    return readSessionRecord(kept?.value);
  }

  keep({ key, record, expires }: Session): MaybePromise<void> {
    const { clock, stores } = this.host;
    const { sessions: records } = stores;
    const failed = (error: unknown) => this.#outages.records.failed(error);
    try {
      const kept = records?.set(key, record, Math.max(1, expires - clock.now()));
      return isPromise(kept) ? Promise.resolve(this.#inTime(kept)).catch(failed) : undefined;
    } catch (error) {
      failed(error);
    }
  }

  #inTime<T>(answer: MaybePromise<T>): MaybePromise<T> {
    const tooLate = () => new Error(`The store of session records took longer than ${RECORDS_MS} ms.`);
    return isPromise(answer) ? within(answer, { clock: this.host.clock, ms: RECORDS_MS, tooLate }) : answer;
  }
}

function riseOf(key: string): string {
  return `session-risen:${key}`;
}

/** The claim that a session has ended. */
export function claimOf(key: string): string {
  return `session-ended:${key}`;
}

/** What a store has given, if it is a record. Others may write to the same store. */
function readSessionRecord(value: unknown): SessionRecord | undefined {
  if (!isJsonObject(value)) return undefined;
  const { logLevel, subscriptions } = value;
  if (!Array.isArray(subscriptions) || !subscriptions.every((uri) => typeof uri === 'string'))
    return undefined;
  if (logLevel === undefined) return { subscriptions };
  return isLogLevel(logLevel) ? { logLevel, subscriptions } : undefined;
}

/** An id is accepted for a day by default. An end that is remembered longer does no harm. */
const REMEMBERED_MS = 40 * 86_400_000;

/**
 * The sessions of a subject or a tenant, as far as stores know them: those whose client has set a log level or has
 * subscribed to something. The others are only in the memory of their process.
 */
function sessionsIn({ sessions, claims, endedSessions = claims, events }: ServerStores): SubjectRecords {
  const keysOf = async (owner: DataOwner): Promise<readonly string[]> =>
    (await sessions?.ofOwner?.(dataOwnerDigest(owner))) ?? [];
  return {
    kind: 'sessions',
    async *find(owner) {
      for (const session of await keysOf(owner)) {
        const record = await sessions!.get(session);
        if (record) yield { session, logLevel: record.logLevel, subscriptions: record.subscriptions };
      }
    },
    async erase(owner) {
      const keys = await keysOf(owner);
      for (const key of keys) {
        // First the end: a process that serves the session would write its record again.
        await endedSessions?.claim(claimOf(key), REMEMBERED_MS);
        await events?.drop(key);
        await sessions!.delete(key);
      }
      return keys.length;
    },
  };
}

/** What core keeps in stores under digests that say nothing about whose it is. */
const UNSEARCHED = [
  'sessions whose client has neither subscribed nor set a log level: only their process knows them',
  'results of @Cache, points of limits, slots and claims: they have digests for names, and end by themselves',
  'tasks that a server keeps in its own memory: they end with it',
];

/** What core keeps about subjects in stores. */
export const subjectSource: SubjectSource = {
  open: ({ stores }) => ({
    records: stores.filter(({ sessions }) => sessions?.ofOwner).map(sessionsIn),
    unsearched: UNSEARCHED,
  }),
};
