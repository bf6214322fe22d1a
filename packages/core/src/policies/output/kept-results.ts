import type { ToolResult } from '@toolwright/ground/base/content';
import type { Environment } from '@toolwright/ground/call/environment';
import { TimedStore } from '@toolwright/ground/call/limits/timed-store';
import { MemoryResultCache } from '@toolwright/ground/ports/result-cache';
import { oncePer, sealingSecrets, Seal } from '@toolwright/json';
import { createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** How long what continues a result counts. */
export const LIFE_MS = 600_000;
/** What one caller may have kept, in pieces of a megabyte. */
const PIECES = 16;
/** As a store has it: sealed, and with its key. */
const STORED_BYTES = 1_000_000;
/** For the key of a piece, and what its seal adds. */
const AROUND = 200;
/** Base64 writes four characters for three bytes. */
const PIECE_BYTES = ((STORED_BYTES - AROUND) / 4) * 3;
/** The largest rest that is read in one piece. A result that is kept is smaller by a quarter. */
export const MOST_BYTES = PIECES * STORED_BYTES;
/** A megabyte takes longer than a counter. */
const PATIENCE_MS = 2_000;
/** As many pieces are kept of all callers, in a server without a store for them. */
const MOST_IN_MEMORY = 128;

const keptResults = oncePer((environment: Environment) => new KeptResults(environment));

/**
 * Where the results of tools are kept that must not run again. Processes that share something, and no store for
 * results, keep none: the next call may reach another process.
 */
export function keptResultsOf(environment: Environment): KeptResults | undefined {
  const { cache, secrets, limiter } = environment;
  if (!(cache && secrets) && (cache ?? secrets ?? limiter) !== undefined) return undefined;
  return keptResults(environment);
}

/**
 * Keeps whole results in pieces. Each caller has 16 places, in which the newest pieces replace the oldest ones, so that
 * no caller can fill the store, whatever the number of processes. Pieces are sealed, as cached results are.
 */
export class KeptResults {
  readonly #seal: Seal;
  readonly #key: Buffer;
  readonly #cache: NonNullable<Environment['cache']>;
  readonly #store: TimedStore;
  /** The next place of each caller that has kept something here. */
  readonly #places = new Map<string, number>();

  constructor(private readonly environment: Environment) {
    const { cache, clock, logger, server } = environment;
    const secrets = sealingSecrets(environment);
    this.#seal = new Seal(secrets, 'kept result');
    this.#key = Buffer.from(hkdfSync('sha256', secrets[0]!, server, 'toolwright kept result key', 32));
    this.#cache = cache ?? new MemoryResultCache(clock, MOST_IN_MEMORY);
    this.#store = new TimedStore('store of kept results', { clock, logger }, { patienceMs: PATIENCE_MS });
  }

  /** @returns where it is; `undefined` for one that is too large, or that the store did not take */
  async keep(caller: string, result: ToolResult): Promise<string | undefined> {
    const bytes = Buffer.from(JSON.stringify(withoutRepeat(result)));
    const count = Math.ceil(bytes.length / PIECE_BYTES);
    if (count > PIECES) return undefined;
    const first = this.#takePlaces(caller, count);
    const id = randomBytes(12).toString('base64url');
    for (let index = 0; index < count; index++) {
      const name = this.#nameOf(caller, first + index);
      const piece = bytes.subarray(index * PIECE_BYTES, (index + 1) * PIECE_BYTES);
      const sealed = this.#seal.sealBytes(piece, `${name} ${id} ${index}`);
      if (!(await this.#store.ask(async () => this.#cache.set(name, sealed, LIFE_MS)))) return undefined;
    }
    // The cursor is sealed. So a program with access to the store cannot make a result last longer.
    return `${id}.${first}.${count}.${this.environment.clock.now() + LIFE_MS}`;
  }

  async find(caller: string, kept: string): Promise<ToolResult | undefined> {
    const [id, first, count, until] = kept.split('.');
    if (Number(until) <= this.environment.clock.now()) return undefined;
    const pieces: Buffer[] = [];
    for (let index = 0; index < Number(count); index++) {
      const name = this.#nameOf(caller, Number(first) + index);
      const answer = await this.#store.ask(async () => this.#cache.get(name));
      if (typeof answer?.value !== 'string') return undefined;
      const piece = this.#seal.openBytes(answer.value, `${name} ${id} ${index}`);
      if (!piece) return undefined;
      pieces.push(piece);
    }
    const found = JSON.parse(Buffer.concat(pieces).toString()) as Kept;
    if (typeof found !== 'string') return found;
    return { content: [{ type: 'text', text: found }], structuredContent: JSON.parse(found) as unknown };
  }

  #takePlaces(caller: string, count: number): number {
    // The oldest caller may lose what it has kept a little earlier, when another process fills the same places.
    if (this.#places.size > 10_000) this.#places.delete(this.#places.keys().next().value!);
    const first = this.#places.get(caller) ?? randomBytes(1)[0]! % PIECES;
    this.#places.delete(caller);
    this.#places.set(caller, (first + count) % PIECES);
    return first;
  }

  #nameOf(caller: string, place: number): string {
    return createHmac('sha256', this.#key)
      .update(`${caller} ${place % PIECES}`)
      .digest('base64url');
  }
}

/** A result as it is kept. The text of most results repeats their data: such a result is only its text. */
type Kept = string | Pick<ToolResult, 'content' | 'structuredContent'>;

function withoutRepeat({ content, structuredContent }: ToolResult): Kept {
  const [only] = content;
  const isRepeat = structuredContent !== undefined && content.length === 1 && only?.type === 'text';
  if (isRepeat && Object.keys(only).length === 2 && only.text === JSON.stringify(structuredContent))
    return only.text;
  return { content, structuredContent };
}
