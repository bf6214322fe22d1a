import { ToolError } from '@toolwright/core';
import { type ContextCall, type ExtensionHost, Seal, sealingSecrets } from '@toolwright/core/extend';
import { MemoryRecordStore, type RecordStore } from '@toolwright/core/ports';
import { principalKey } from '@toolwright/core/transport';
import { randomUUID } from 'node:crypto';
import { Journal, type JournalState } from './journal.js';

/** Where a call keeps what it knows of its program. */
const KEPT = 'toolwright.program';

/** The room of the record store. */
const ROOM = 'code-journals';

/** The most bytes of a journal that travels with the question: clients carry it. */
const MOST_CARRIED = 65_536;

/** The most bytes of all journals of a caller that the store keeps at a time. */
const MOST_OF_CALLER = 16 * 1_048_576;

/** A journal that does not travel with the question. */
interface Stored {
  /** Its id in the store; `undefined` when it was not stored, because there was too much. */
  readonly stored: string | undefined;
  /** The tools that the program has called. */
  readonly called: readonly string[];
}

/** Keeps the journals of programs from round to round: with the question, or in the record store if they are long. */
export class Journals {
  readonly #store: RecordStore;
  readonly #seal: Seal;
  /** Bytes of the journals of each caller, until they are good for nothing. */
  readonly #kept = new Map<string, { bytes: number; until: number }[]>();
  readonly #now: () => number;
  readonly #lifetime: number;

  constructor({
    stores,
    secrets,
    clock,
    logger,
    answerMs,
  }: Pick<ExtensionHost, 'stores' | 'secrets' | 'clock' | 'logger' | 'answerMs'>) {
    this.#store = stores.records ?? new MemoryRecordStore(clock);
    this.#seal = new Seal(sealingSecrets({ secrets }), 'program journal', { logger });
    this.#now = () => clock.now();
    this.#lifetime = answerMs;
  }

  /**
   * The journal of the earlier rounds of a call; `undefined` for its first one.
   *
   * @throws {ToolError} when it is not here: another process keeps it, or nobody could
   */
  async find({ request }: ContextCall): Promise<Journal | undefined> {
    const kept = request.input.recall(KEPT)?.value as JournalState | Stored | undefined;
    if (!kept) return undefined;
    if (!('called' in kept)) return new Journal(structuredClone(kept));
    const { stored, called } = kept;
    const owner = principalKey(request.principal);
    const sealed = stored === undefined ? undefined : await this.#store.get(ROOM, stored);
    const opened = sealed === undefined ? undefined : this.#seal.open(sealed, owner);
    if (opened === undefined)
      throw new ToolError(
        `What this program did in its earlier rounds is not known here: ${stored === undefined ? 'it was too much to keep' : 'the time has passed, or another process of the server keeps it'}. It had called: ${called.join(', ')}. Look what they did, and begin again.`,
      );
    await this.#store.delete(ROOM, stored!);
    this.#forget(owner, Buffer.byteLength(sealed!));
    return new Journal(opened as JournalState);
  }

  async keep({ request }: ContextCall, { state, called }: Journal): Promise<void> {
    const { input } = request;
    if (Buffer.byteLength(JSON.stringify(state)) <= MOST_CARRIED) return input.remember(KEPT, state);
    const owner = principalKey(request.principal);
    const sealed = this.#seal.seal(state, owner);
    // The question goes out all the same. Without this, the next round would make all calls again.
    input.remember(KEPT, { stored: undefined, called } satisfies Stored);
    if (!this.#count(owner, Buffer.byteLength(sealed))) return;
    const stored = randomUUID();
    await this.#store.put(ROOM, stored, sealed, { was: undefined, ttlMs: this.#lifetime });
    input.remember(KEPT, { stored, called } satisfies Stored);
  }

  /** @returns false when the caller has too much of it */
  #count(owner: string, bytes: number): boolean {
    const now = this.#now();
    const own = (this.#kept.get(owner) ?? []).filter(({ until }) => until > now);
    if (own.reduce((sum, each) => sum + each.bytes, bytes) > MOST_OF_CALLER) return false;
    this.#kept.set(owner, [...own, { bytes, until: now + this.#lifetime }]);
    return true;
  }

  #forget(owner: string, bytes: number): void {
    const own = this.#kept.get(owner) ?? [];
    const at = own.findIndex((each) => each.bytes === bytes);
    if (at >= 0) own.splice(at, 1);
    if (own.length === 0) this.#kept.delete(owner);
  }
}
