import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { ToolResult } from '../../base/content.js';
import { Seal } from '../../base/seal.js';
import type { Environment } from '../../call/environment.js';
import { TimedStore } from '../../call/limits/timed-store.js';
import { MemoryResultCache } from '../../ports/result-cache.js';

/** How long what continues a result counts. */
export const LIFE_MS = 600_000;
/** What one caller may have kept, in pieces of a megabyte. */
const PIECES = 16;
const PIECE_BYTES = 1_000_000;
/** The largest result that is kept, and the largest rest that is read in one piece. */
export const MOST_BYTES = PIECES * PIECE_BYTES;
/** A megabyte takes longer than a counter. */
const PATIENCE_MS = 2_000;
/** As many pieces are kept of all callers, in a server without a store for them. */
const MOST_IN_MEMORY = 128;

const ownSecrets = new WeakMap<Environment, readonly string[]>();

/** Without secrets, the cursors of this process are for this process. */
export function secretsOf(environment: Environment): readonly string[] {
  if (environment.secrets) return environment.secrets;
  const own = ownSecrets.get(environment) ?? [randomBytes(32).toString('base64')];
  ownSecrets.set(environment, own);
  return own;
}

const keptResults = new WeakMap<Environment, KeptResults>();

/**
 * Where the results of tools are kept that must not run again. Processes that share something, and no store for
 * results, keep none: the next call may reach another process.
 */
export function keptResultsOf(environment: Environment): KeptResults | undefined {
  const { cache, secrets, limiter } = environment;
  if (!(cache && secrets) && (cache ?? secrets ?? limiter) !== undefined) return undefined;
  const kept = keptResults.get(environment) ?? new KeptResults(environment);
  keptResults.set(environment, kept);
  return kept;
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
    const secrets = secretsOf(environment);
    this.#seal = new Seal(secrets, 'kept result');
    this.#key = Buffer.from(hkdfSync('sha256', secrets[0]!, server, 'toolwright kept result key', 32));
    this.#cache = cache ?? new MemoryResultCache(clock, MOST_IN_MEMORY);
    this.#store = new TimedStore('store of kept results', { clock, logger }, PATIENCE_MS);
  }

  /** @returns where it is; `undefined` for one that is too large, or that the store did not take */
  async keep(caller: string, { content, structuredContent }: ToolResult): Promise<string | undefined> {
    const bytes = Buffer.from(JSON.stringify({ content, structuredContent }));
    const count = Math.ceil(bytes.length / PIECE_BYTES);
    if (count > PIECES) return undefined;
    const first = this.#takePlaces(caller, count);
    const id = randomBytes(12).toString('base64url');
    const until = this.environment.clock.now() + LIFE_MS;
    for (let index = 0; index < count; index++) {
      const name = this.#nameOf(caller, first + index);
      // Each byte is a character: a piece may begin inside of one.
      const piece = bytes.subarray(index * PIECE_BYTES, (index + 1) * PIECE_BYTES).toString('latin1');
      const sealed = this.#seal.seal([until, id, index, piece], name);
      if (!(await this.#store.ask(async () => this.#cache.set(name, sealed, LIFE_MS)))) return undefined;
    }
    return `${id}.${first}.${count}`;
  }

  async find(caller: string, kept: string): Promise<ToolResult | undefined> {
    const [id, first, count] = kept.split('.');
    const pieces: Buffer[] = [];
    for (let index = 0; index < Number(count); index++) {
      const name = this.#nameOf(caller, Number(first) + index);
      const answer = await this.#store.ask(async () => this.#cache.get(name));
      const opened = typeof answer?.value === 'string' ? this.#seal.open(answer.value, name) : undefined;
      const [until = 0, of, at, piece = ''] = (opened ?? []) as [number?, string?, number?, string?];
      if (of !== id || at !== index || until <= this.environment.clock.now()) return undefined;
      pieces.push(Buffer.from(piece, 'latin1'));
    }
    return JSON.parse(Buffer.concat(pieces).toString()) as ToolResult;
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
