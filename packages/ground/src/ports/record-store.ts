import { getOrMake, keepNewest, type MaybePromise } from '@toolwright/json';
import type { LogLevel } from '../base/request-context.js';
import { type Clock, monotonic } from './clock-and-ids.js';

/** How a record is written. */
export interface RecordWrite {
  /**
   * What the writer believes to be there: the value that it has read, or `undefined` for none. If something else is
   * there, nothing is written. So of two writers at the same time, one fails.
   */
  readonly was: string | undefined;
  /** After how many milliseconds the record is forgotten. Default: never. */
  readonly ttlMs?: number | undefined;
}

/**
 * Keeps records that packages need in all processes, such as API keys and questions that a person answers on a page. A
 * record is a text with an id, in a room: all records of one kind. The packages seal what nobody else may read.
 */
export interface RecordStore {
  /** The value; `undefined` when there is none or its time has passed. */
  get(room: string, id: string): MaybePromise<string | undefined>;
  /**
   * Writes a record, if what is there is still what the writer believes.
   *
   * @returns false when something else is there
   */
  put(room: string, id: string, value: string, write: RecordWrite): MaybePromise<boolean>;
  /** @returns false when there was none */
  delete(room: string, id: string): MaybePromise<boolean>;
  /** All records of a room, by id, in the order of their ids. */
  list(room: string): MaybePromise<readonly (readonly [id: string, value: string])[]>;
  /**
   * The same records one after the other, in any order, for rooms that are larger than memory. A record that is written or
   * deleted in the meantime may be among them. Without this method, `list` is asked.
   */
  each?(room: string): AsyncIterable<readonly [id: string, value: string]>;
}

interface Kept {
  readonly value: string;
  readonly until: number;
}

/** Keeps the records of this process. When a room is full, further records are refused with an error. */
export class MemoryRecordStore implements RecordStore {
  readonly #rooms = new Map<string, Map<string, Kept>>();

  constructor(
    private readonly clock: Clock,
    private readonly maxPerRoom = 100_000,
  ) {}

  get(room: string, id: string): string | undefined {
    const found = this.#rooms.get(room)?.get(id);
    return found && found.until > monotonic(this.clock) ? found.value : undefined;
  }

  put(room: string, id: string, value: string, { was, ttlMs }: RecordWrite): boolean {
    if (this.get(room, id) !== was) return false;
    const records = getOrMake(this.#rooms, room, () => new Map());
    if (!records.has(id)) this.#makeRoom(records, room);
    records.set(id, {
      value,
      until: ttlMs === undefined ? Number.POSITIVE_INFINITY : monotonic(this.clock) + ttlMs,
    });
    return true;
  }

  delete(room: string, id: string): boolean {
    const isThere = this.get(room, id) !== undefined;
    this.#rooms.get(room)?.delete(id);
    return isThere;
  }

  list(room: string): (readonly [string, string])[] {
    const now = monotonic(this.clock);
    return [...(this.#rooms.get(room) ?? [])]
      .filter(([, { until }]) => until > now)
      .map(([id, { value }]) => [id, value] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1));
  }

  #makeRoom(records: Map<string, Kept>, room: string): void {
    if (records.size < this.maxPerRoom) return;
    const now = monotonic(this.clock);
    for (const [id, { until }] of records) if (until <= now) records.delete(id);
    if (records.size >= this.maxPerRoom)
      throw new Error(`This process keeps at most ${this.maxPerRoom} records of ${room}.`);
  }
}

/** What a client has asked for in its session, beyond the handshake. */
export interface SessionRecord {
  /** `undefined` until the client has sent `logging/setLevel`. */
  readonly logLevel?: LogLevel;
  /** The URIs of the resources that it has subscribed to. */
  readonly subscriptions: readonly string[];
  /** A digest of the issuer and the subject whose session it is. Missing for callers without a subject. */
  readonly owner?: string;
  /** A digest of the tenant of its caller. Missing for callers without a tenant. */
  readonly tenant?: string;
}

/**
 * Keeps what clients of the stateful revisions have asked for, so that another process can serve their next
 * request. The key is a digest of the session's id, never the id itself.
 */
export interface SessionRecords {
  /** The record; `undefined` when there is none or its time has passed. */
  get(key: string): SessionRecord | undefined | Promise<SessionRecord | undefined>;
  set(key: string, record: SessionRecord, ttlMs: number): void | Promise<void>;
  delete(key: string): void | Promise<void>;
  /**
   * The keys of the sessions whose records have this text as their `owner` or as their `tenant`, so that operators can
   * show and erase what is kept for a person or a tenant. The two are never the same text. Without this method, operators
   * do not find it; it is forgotten when its time has passed.
   */
  ofOwner?(owner: string): readonly string[] | Promise<readonly string[]>;
}

/** Keeps the records of this process. When there are too many, the oldest one is removed. */
export class MemorySessionRecords implements SessionRecords {
  readonly #kept = new Map<string, { record: SessionRecord; until: number }>();

  constructor(
    private readonly clock: Clock,
    private readonly max = 10_000,
  ) {}

  get(key: string): SessionRecord | undefined {
    const found = this.#kept.get(key);
    return found && found.until > monotonic(this.clock) ? found.record : undefined;
  }

  set(key: string, record: SessionRecord, ttlMs: number): void {
    keepNewest(this.#kept, key, { record, until: monotonic(this.clock) + ttlMs }, this.max);
  }

  delete(key: string): void {
    this.#kept.delete(key);
  }

  ofOwner(owner: string): string[] {
    return [...this.#kept.keys()].filter((key) => {
      const record = this.get(key);
      return record?.owner === owner || record?.tenant === owner;
    });
  }
}
