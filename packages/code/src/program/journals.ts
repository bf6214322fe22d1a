import { randomBytes, randomUUID } from 'node:crypto';
import { MemoryRecordStore, type RecordStore } from '@toolwright/core/ports';
import { type ContextCall, type ExtensionHost, Seal } from '@toolwright/core/extend';
import { principalKey } from '@toolwright/core/transport';
import { ToolError } from '@toolwright/core';
import { Journal, type JournalState } from './journal.js';

/** Where a call keeps what it knows of its program. */
const KEPT = 'toolwright.program';

/** The room of the record store. */
const ROOM = 'code-journals';

/** The most bytes of a journal that travels with the question: clients carry it. */
const MOST_CARRIED = 65_536;

/** The most bytes of all journals of a caller that the store keeps at a time. */
const MOST_OF_CALLER = 16 * 1_048_576;

/** How long a program may wait for its answers, as long as a question is good. */
const LIFETIME = 15 * 60_000;

/** A journal that is in the store. */
interface Stored {
  readonly stored: string;
}

/** Keeps the journals of programs from round to round: with the question, or in the record store if they are long. */
export class Journals {
  readonly #store: RecordStore;
  readonly #seal: Seal;
  /** Bytes of the journals of each caller, until they are good for nothing. */
  readonly #kept = new Map<string, { bytes: number; until: number }[]>();

  constructor({ stores, secrets, clock, logger }: Pick<ExtensionHost, 'stores' | 'secrets' | 'clock' | 'logger'>) {
    this.#store = stores.records ?? new MemoryRecordStore(clock);
    this.#seal = new Seal(secrets ?? [randomBytes(32).toString('hex')], 'program journal', { logger });
    this.#now = () => clock.now();
  }

  readonly #now: () => number;

  /**
   * The journal of the earlier rounds of a call; `undefined` for its first one.
   *
   * @throws {ToolError} when another process keeps it
   */
  async find({ request }: ContextCall): Promise<Journal | undefined> {
    const kept = request.input.recall(KEPT)?.value as JournalState | Stored | undefined;
    if (!kept) return undefined;
    if (!('stored' in kept)) return new Journal(structuredClone(kept));
    const owner = principalKey(request.principal);
    const sealed = await this.#store.get(ROOM, kept.stored);
    const opened = sealed === undefined ? undefined : this.#seal.open(sealed, owner);
    if (opened === undefined)
      throw new ToolError(
        'What this program did in its earlier rounds is not known here: the time has passed, or another process of the server keeps it. Look what was done, and begin again.',
      );
    await this.#store.delete(ROOM, kept.stored);
    this.#forget(owner, Buffer.byteLength(sealed!));
    return new Journal(opened as JournalState);
  }

  /** @throws {ToolError} when the caller has too much of it */
  async keep({ request }: ContextCall, { state }: Journal): Promise<void> {
    if (JSON.stringify(state).length <= MOST_CARRIED) return request.input.remember(KEPT, state);
    const owner = principalKey(request.principal);
    const sealed = this.#seal.seal(state, owner);
    this.#count(owner, Buffer.byteLength(sealed));
    const stored = randomUUID();
    await this.#store.put(ROOM, stored, sealed, { was: undefined, ttlMs: LIFETIME });
    request.input.remember(KEPT, { stored } satisfies Stored);
  }

  #count(owner: string, bytes: number): void {
    const now = this.#now();
    const own = (this.#kept.get(owner) ?? []).filter(({ until }) => until > now);
    const all = own.reduce((sum, each) => sum + each.bytes, bytes);
    if (all > MOST_OF_CALLER)
      throw new ToolError('Too many of your programs wait for answers with large results. Answer them first.');
    this.#kept.set(owner, [...own, { bytes, until: now + LIFETIME }]);
  }

  #forget(owner: string, bytes: number): void {
    const own = this.#kept.get(owner) ?? [];
    const at = own.findIndex((each) => each.bytes === bytes);
    if (at >= 0) own.splice(at, 1);
    if (own.length === 0) this.#kept.delete(owner);
  }
}
