import type { JsonSchema } from '@toolwright/json';
import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { ToolResult } from '../../base/content.js';
import { type MaybePromise, after } from '../../base/maybe-promise.js';
import { Seal, digest } from '../../base/seal.js';
import type { ActiveCall, AskedPage, NextPage } from '../../call/active-call.js';
import type { Environment } from '../../call/environment.js';
import { TimedStore } from '../../call/limits/timed-store.js';
import type { AnyDraft, ToolDraft } from '../../call/operation/draft.js';
import { callerKey, operationKey } from '../../call/operation/keys.js';
import { refuse } from '../../call/refuse.js';
import { MemoryResultCache } from '../../ports/result-cache.js';
import { Cache, principalDigest } from '../cache.js';
import type { Guard, PlanGuard } from '../guard.js';
import { MaxOutput, cutResult, noteOf } from './max-output.js';

/** The argument that continues a result. */
const CURSOR = 'cursor';
const LIFE_MS = 600_000;
/** What one caller may have kept, in pieces of a megabyte. */
const PIECES = 16;
const PIECE_BYTES = 1_000_000;
/** A megabyte takes longer than a counter. */
const PATIENCE_MS = 2_000;
/** As many pieces are kept of all callers, in a server without a store for them. */
const MOST_IN_MEMORY = 128;
/** A cursor has about 300 characters. */
const LONGEST_CURSOR = 4_096;

const cursorSchema: JsonSchema = {
  type: 'string',
  description: 'Continues a result that was cut: the cursor of its note. All other arguments stay the same.',
};

/**
 * True for a tool whose results go on, so that its schema has the argument `cursor`. A method with such a parameter makes
 * its own pages.
 */
export function takesCursor(draft: AnyDraft, environment: Environment): draft is ToolDraft {
  if (draft.kind !== 'tool' || !MaxOutput.of(draft) || draft.task || draft.exactSchema) return false;
  const { type, properties = {}, $ref, anyOf, oneOf, allOf } = draft.inputSchema;
  const isPlain = type === 'object' && !$ref && !anyOf && !oneOf && !allOf;
  const own = (properties as Record<string, unknown>)[CURSOR];
  if (!isPlain || (own !== undefined && own !== cursorSchema)) return false;
  return draft.annotations.readOnlyHint === true || keptResultsOf(environment) !== undefined;
}

export function withCursor(schema: JsonSchema): JsonSchema {
  return { ...schema, properties: { ...(schema.properties as object), [CURSOR]: cursorSchema } };
}

/** Removes what the framework has added to the arguments of a call. */
export function dropCursor(args: Record<string, unknown>): Record<string, unknown> {
  const { [CURSOR]: _, ...others } = args;
  return others;
}

const continuations = new WeakMap<AnyDraft, Continuation>();

/** What makes and reads the cursors of a tool; `undefined` for one whose results do not go on. */
export function continuationOf(draft: AnyDraft, environment: Environment): Continuation | undefined {
  if (!takesCursor(draft, environment)) return undefined;
  const known = continuations.get(draft);
  if (known) return known;
  const made = new Continuation(draft, environment);
  continuations.set(draft, made);
  return made;
}

/** The cursors of one tool. Each is bound to its caller, to the tool and to the arguments, and is sealed. */
export class Continuation {
  readonly #seal: Seal;
  readonly #kept: KeptResults | undefined;
  readonly #lifeMs: number;
  /** Checks a part by the schema of the output, as its guard does. */
  check: (result: ToolResult, call: ActiveCall) => ToolResult = (result) => result;

  constructor(
    draft: ToolDraft,
    private readonly environment: Environment,
  ) {
    this.#seal = new Seal(secretsOf(environment), 'cursor of a result', { maxLength: LONGEST_CURSOR });
    this.#kept = draft.annotations.readOnlyHint === true ? undefined : keptResultsOf(environment);
    // A cached page must not lead to a page that is gone.
    this.#lifeMs = LIFE_MS + (Cache.of(draft)?.options.ttlMs ?? 0);
  }

  /** Whether a page belongs to this result. */
  isOf(result: ToolResult, page: AskedPage): boolean {
    return digestOf(result) === page.digest;
  }

  /** The cursor for the next page of a result; `undefined` where the result could not be kept. */
  cursorFor(call: ActiveCall, whole: ToolResult, next: NextPage): MaybePromise<string | undefined> {
    const of = digestOf(whole);
    if (!this.#kept) return this.#write(call, { ...next, digest: of });
    return after(
      () => this.#kept!.keep(placesOf(call), whole),
      (kept) => (kept === undefined ? undefined : this.#write(call, { ...next, digest: of, kept })),
    );
  }

  /** The page that a cursor means; `undefined` for one that is not of this caller, tool and arguments, or is too old. */
  read(call: ActiveCall, cursor: string): AskedPage | undefined {
    const opened = this.#seal.open(cursor, bindingOf(call)) as [number, AskedPage] | undefined;
    return opened && opened[0] > this.environment.clock.now() ? opened[1] : undefined;
  }

  /** A page of a result that is kept. The tool does not run again. */
  async page(call: ActiveCall, asked: AskedPage, limit: number): Promise<ToolResult> {
    const whole = await this.#kept?.find(placesOf(call), asked.kept!);
    if (!whole || !this.isOf(whole, asked)) return refuseCursor(call, 'gone');
    const cut = cutResult(whole, limit, asked);
    if (!cut) return refuseCursor(call, 'gone');
    const part = this.#checked(cut.result, call);
    if (!part) return refuseCursor(call, 'unfit');
    const cursor = cut.next && this.#write(call, { ...asked, ...cut.next });
    if (cut.dropped.length > 0) part.content = [...part.content, noteOf(cut.dropped, cursor)];
    return part;
  }

  #checked(part: ToolResult, call: ActiveCall): ToolResult | undefined {
    try {
      return this.check(part, call);
    } catch {
      return undefined;
    }
  }

  #write(call: ActiveCall, page: AskedPage): string {
    return this.#seal.seal([this.environment.clock.now() + this.#lifeMs, page], bindingOf(call));
  }
}

/** Content and data, as they are after the check of the output. */
function digestOf({ content, structuredContent }: ToolResult): string {
  return digest([content, structuredContent ?? null]);
}

function bindingOf(call: ActiveCall): string {
  const contract = 'contract' in call.operation ? call.operation.contract : '';
  const { server } = call.environment;
  return digest([server, operationKey(call.operation), contract, callerOf(call), dropCursor(call.given)]);
}

/** Claims that every new token has anew. A caller may get one between two pages. */
const passing = new Set(['exp', 'iat', 'nbf', 'jti']);

/** Another caller is also one whose scopes or claims have changed: the method may have read them. */
function callerOf({ request }: ActiveCall): string {
  const { principal } = request;
  const claims = Object.entries((principal as { claims?: object } | undefined)?.claims ?? {});
  const lasting = Object.fromEntries(claims.filter(([name]) => !passing.has(name)));
  const who = principal && { ...principal, ...(claims.length > 0 && { claims: lasting }) };
  return digest([callerKey(request, true), principalDigest(who)]);
}

/** What is kept counts for the caller, whatever its claims are. */
const placesOf = ({ request }: ActiveCall) => callerKey(request, true);

const reasons = {
  invalid: 'it is of another caller, of other arguments, or too old',
  gone: 'what it continues is not kept any more',
  unfit: 'the next part alone does not fit the schema of the result',
  stale: 'the data has changed since the first part',
};

/** Ends a call whose cursor does not count. */
export function refuseCursor(call: ActiveCall, why: keyof typeof reasons): ToolResult {
  const { name, annotations } = call.operation;
  const advice =
    annotations.readOnlyHint === true
      ? 'Start again: call the tool without "cursor".'
      : `Do not call ${name} again only for the rest: it would run again.`;
  return refuse(call, {
    outcome: 'invalid',
    reason: why === 'stale' ? 'TW_CURSOR_STALE' : 'TW_CURSOR_INVALID',
    text: `The cursor cannot be used: ${reasons[why]}. ${advice}`,
    rpcCode: 409,
  });
}

const planContinuation: PlanGuard = (draft, environment) => {
  const continuation = continuationOf(draft, environment);
  if (!continuation) return undefined;
  const { options, origin } = MaxOutput.of(draft)!;
  const isRead = draft.annotations.readOnlyHint === true;
  return {
    origin,
    detail: isRead ? 'runs again for each part' : 'keeps the rest for 10 minutes',
    step(call, next) {
      const cursor = call.given[CURSOR];
      if (cursor === undefined) return next();
      const page = typeof cursor === 'string' ? continuation.read(call, cursor) : undefined;
      if (!page || isRead !== (page.kept === undefined)) return refuseCursor(call, 'invalid');
      if (!isRead) return continuation.page(call, page, options.bytes);
      call.page = page;
      return next();
    },
  };
};

/** Gives the further parts of results that were cut. It is outside of the confirmation: a next part changes nothing. */
export const continueGuard: Guard = {
  name: 'continue',
  position: 108,
  summary: 'Gives the next part of a result that was cut.',
  plan: planContinuation,
};

const ownSecrets = new WeakMap<Environment, readonly string[]>();

/** Without secrets, the cursors of this process are for this process. */
function secretsOf(environment: Environment): readonly string[] {
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
function keptResultsOf(environment: Environment): KeptResults | undefined {
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
class KeptResults {
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
