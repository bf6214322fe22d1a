import { sealingSecrets } from '@toolwright/json';
import { ToolError } from '@toolwright/core';
import { type ContextCall, type ExtensionHost, Seal } from '@toolwright/core/extend';
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
  /** Its id in the store. */
  readonly stored: string;
  /** The tools that the program has called. */
  readonly called: readonly string[];
}

/** A journal in the store. */
interface Kept {
  readonly id: string;
  readonly bytes: number;
  readonly until: number;
}

/** Keeps the journals of programs from round to round: with the question, or in the record store if they are long. */
export class Journals {
  readonly #store: RecordStore;
  readonly #seal: Seal;
  /** The journals of each caller that this process has kept, oldest first, until they are good for nothing. */
  readonly #kept = new Map<string, readonly Kept[]>();
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
    const sealed = await this.#store.get(ROOM, stored);
    const opened = sealed === undefined ? undefined : this.#seal.open(sealed, owner);
    if (opened === undefined)
      throw new ToolError(
        `What this program did in its earlier rounds is not known here: the time has passed, another process of the server keeps it, or later questions of this caller took its place. It had called: ${called.join(', ')}. Look what they did, and begin again.`,
      );
    await this.#store.delete(ROOM, stored);
    this.#forget(owner, stored);
    return new Journal(opened as JournalState);
  }

  /**
   * Keeps a journal until the question has its answer. There may be too much for a caller: then its oldest journals are
   * forgotten, and the programs that wait for these answers are lost.
   *
   * @throws {ToolError} when this journal alone is too much: nobody is asked then, because the answer would be worth nothing
   */
  async keep({ request, soFar }: ContextCall, { state, called }: Journal): Promise<void> {
    const { input } = request;
    if (Buffer.byteLength(JSON.stringify(state)) <= MOST_CARRIED) return input.remember(KEPT, state);
    const owner = principalKey(request.principal);
    const sealed = this.#seal.seal(state, owner);
    const bytes = Buffer.byteLength(sealed);
    if (bytes > MOST_OF_CALLER)
      throw new ToolError(
        `A question in a program needs a record of what the program has done, and this one has ${bytes} bytes, where ${MOST_OF_CALLER} may be kept. So nobody was asked: let the program ask earlier, or get less from its tools.\n${soFar!()}`,
      );
    const stored = randomUUID();
    await this.#makeRoom(owner, { id: stored, bytes, until: this.#now() + this.#lifetime });
    await this.#store.put(ROOM, stored, sealed, { was: undefined, ttlMs: this.#lifetime });
    input.remember(KEPT, { stored, called } satisfies Stored);
  }

  /** Forgets the oldest journals of the caller until one more may be kept. */
  async #makeRoom(owner: string, added: Kept): Promise<void> {
    const now = this.#now();
    for (const [each, kept] of this.#kept) {
      const good = kept.filter(({ until }) => until > now);
      if (good.length > 0) this.#kept.set(each, good);
      else this.#kept.delete(each);
    }
    const own = [...(this.#kept.get(owner) ?? []), added];
    const oldest: Kept[] = [];
    while (own.reduce((sum, { bytes }) => sum + bytes, 0) > MOST_OF_CALLER) oldest.push(own.shift()!);
    this.#kept.set(owner, own);
    for (const { id } of oldest) await this.#store.delete(ROOM, id);
  }

  #forget(owner: string, id: string): void {
    const own = (this.#kept.get(owner) ?? []).filter((each) => each.id !== id);
    if (own.length > 0) this.#kept.set(owner, own);
    else this.#kept.delete(owner);
  }
}
