import type { PromptResult, ResourceResult, ToolResult } from '@toolwright/ground/base/content';
import { ConfigurationError } from '@toolwright/ground/base/errors/configuration-error';
import { factsOf } from '@toolwright/ground/base/operation-kinds';
import type { Duration } from '@toolwright/ground/base/options/option-schema';
import { type OptionSchema, parseOptions } from '@toolwright/ground/base/options/option-schema';
import {
  duration,
  parsePositiveDuration,
  positiveCount,
  required,
  sayDuration,
} from '@toolwright/ground/base/options/rules';
import type { ActiveCall } from '@toolwright/ground/call/active-call';
import type { Environment } from '@toolwright/ground/call/environment';
import { TimedStore } from '@toolwright/ground/call/limits/timed-store';
import { type AnyDraft, locationOf } from '@toolwright/ground/call/operation/draft';
import { principalDigest } from '@toolwright/ground/call/operation/keys';
import { exactKey } from '@toolwright/ground/call/operation/names';
import type { Next } from '@toolwright/ground/call/operation/operation';
import { WrittenResult, wholeText } from '@toolwright/ground/call/results/shape-tool-result';
import { MemoryResultCache, type ResultCache } from '@toolwright/ground/ports/result-cache';
import {
  type Written,
  canonicalJson,
  getOrMake,
  keptText,
  oncePer,
  type MaybePromise,
  after,
  Seal,
} from '@toolwright/json';
import { createHmac, hash, hkdfSync } from 'node:crypto';
import { definePolicy } from './define-policy.js';
import type { BuiltInGuard, PlanGuard } from './guard.js';
import { dropCursor, takesCursor } from './output/continue-output.js';

export interface CacheOptions {
  /** How long a result may be used again. More than 0. */
  ttl: Duration;
  /**
   * How many results are kept for this tool. When there are too many, the one that was unused for longest is
   * removed. Default 1,000.
   */
  entries?: number;
}

const cacheOptions = {
  ttl: required(duration),
  entries: { ...positiveCount, default: 1_000 },
} satisfies OptionSchema<CacheOptions>;

/**
 * Returns the earlier result when the same principal makes the same call with equal arguments. It works for
 * prompts, resources, and tools with `readOnlyHint: true`. On the method of any other tool it is a boot
 * error. On a class it skips such tools. Failed calls are not kept.
 *
 * @example
 * @McpTool({ annotations: { readOnlyHint: true } })
 * @Cache({ ttl: '30s' }) async statistics() { … }
 */
export const Cache = definePolicy('cache', {
  parse: (options: CacheOptions): { ttlMs: number; entries: number } => {
    const { ttl, entries } = parseOptions('@Cache', cacheOptions, options);
    return { ttlMs: parsePositiveDuration(ttl), entries };
  },
});

type Result = ToolResult | PromptResult | ResourceResult;

const planCache: PlanGuard = (draft, environment) => {
  const policy = Cache.of(draft);
  if (!policy) return undefined;
  // Prompts and resources only read. A tool must say that it only reads.
  if (factsOf(draft).hasHints && draft.annotations.readOnlyHint !== true) {
    if (policy.origin === 'method') throw notReadOnly(draft);
    return undefined;
  }
  const { ttlMs, entries } = policy.options;
  const kept = resultKeeper(draft, environment, entries);
  // All parts of a result are of one result.
  const asked = takesCursor(draft, environment) ? dropCursor : (given: ActiveCall['given']) => given;
  return {
    origin: policy.origin,
    detail: `${sayDuration(ttlMs)}, ${entries} results`,
    step(call, next) {
      const key = keyOf(call, asked(call.given));
      return after(
        () => kept.get(key) as MaybePromise<string | undefined>,
        (found) =>
          found === undefined ? run(call, next, (text) => kept.set(key, text, ttlMs)) : unpack(found, call),
      );
    },
  };
};

/**
 * Another caller may not see this result (server/utilities/caching, cacheScope), also if the two differ only in a scope or
 * a claim, because the method may have read it. Each session of anonymous callers counts as a caller of its own. Middleware may have changed the arguments. The key is a digest, because
 * arguments may be sensitive or long.
 */
function keyOf({ operation, request, arguments: args }: ActiveCall, given: ActiveCall['given']): string {
  const contract = 'contract' in operation ? operation.contract : '';
  const asked = hash('sha256', canonicalJson([given, keptText(args), request.uri]), 'base64url');
  const { principal, session } = request;
  const caller = principal ? principalDigest(principal) : `anonymous ${session?.id ?? ''}`;
  return `${exactKey(operation)} ${contract} ${caller} ${asked}`;
}

function run(call: ActiveCall, next: Next<unknown>, keep: (text: string) => void): MaybePromise<Result> {
  return after(
    () => next() as MaybePromise<Result>,
    (result) => {
      const text =
        result.isError || call.pending || call.isUnrepeatable ? undefined : pack(result, call.gaveResult);
      if (text !== undefined) keep(text);
      return result;
    },
  );
}

/** A result as it is kept. It is text, because middleware may change the result that it gets. */
interface Packed {
  /** For a result that was written by its schema: what was written. */
  readonly written?: Written;
  /** The rest of it. Left out if the written data is all. */
  readonly rest?: Partial<Result>;
  readonly gaveResult: boolean;
}

/** @returns `undefined` for a result that JSON cannot carry; the answer says why */
function pack(result: Result, gaveResult: boolean): string | undefined {
  const written = WrittenResult.of(result);
  const { content, _meta } = result as ToolResult;
  const rest = written ? { ...(_meta && { _meta }), content } : result;
  const isWhole = wholeText(result) !== undefined;
  try {
    return JSON.stringify({ written, ...(!isWhole && { rest }), gaveResult } satisfies Packed | object);
  } catch {
    return undefined;
  }
}

function unpack(text: string, call: ActiveCall): Result {
  const { written, rest = {}, gaveResult } = JSON.parse(text) as Packed;
  call.gaveResult = gaveResult;
  return written ? new WrittenResult(rest as Partial<ToolResult>, written) : (rest as Result);
}

function notReadOnly(draft: AnyDraft): ConfigurationError {
  return new ConfigurationError({
    code: 'TW_POLICY_INVALID',
    message: `The tool "${draft.name}" has @Cache but may change something: repeated calls would not run.`,
    fix: 'Add annotations: { readOnlyHint: true } if it only reads. Otherwise remove @Cache.',
    ...locationOf(draft),
  });
}

/**
 * Returns the earlier result of the same call. Only the same principal gets it, because another one may not see it. It is
 * inside of all middleware, which may refuse a call, and of the guard of the output: what leaves is made for this call.
 */
export const cacheGuard: BuiltInGuard = {
  name: 'cache',
  position: 160,
  summary: 'Gives the earlier result of the same call to the same principal.',
  decorators: { Cache },
  plan: planCache,
};

/** Keeps the results of one operation. It never fails: a result that cannot be kept or read is a miss. */
interface ResultKeeper {
  get(key: string): MaybePromise<unknown>;
  set(key: string, result: string, ttlMs: number): void;
}

/**
 * The results of one operation: in the cache that processes share, or else in this process. No key tells other processes
 * which of several operations with one name a result is of. So an operation that is not for everybody keeps its results
 * here.
 */
function resultKeeper(
  { audience, target }: AnyDraft,
  environment: Environment,
  entries: number,
): ResultKeeper {
  const { cache, secrets, server, clock, logger } = environment;
  if (!cache || !secrets || audience) return inMemory(target, environment, entries);
  return new SharedResults(
    cache,
    { secrets, server },
    { clock, store: new TimedStore('store of cached results', { clock, logger }) },
  );
}

/** What each server keeps in memory for each method. */
const kept = oncePer((_: Environment) => new WeakMap<object, Map<number, ResultKeeper>>());

/** The bare name and the exact name of a version are two operations with one method. */
function inMemory(target: object, environment: Environment, entries: number): ResultKeeper {
  const ofMethod = getOrMake(kept(environment), target, () => new Map<number, ResultKeeper>());
  return getOrMake(ofMethod, entries, () => new MemoryResultCache(environment.clock, entries));
}

/**
 * Results in a store outside of the process. They are sealed, because they may contain what is marked sensitive, and
 * so that nobody with access to the store can make up a result. Keys reveal nothing about the arguments.
 */
class SharedResults implements ResultKeeper {
  readonly #seal: Seal;
  readonly #key: Buffer;

  constructor(
    private readonly cache: ResultCache,
    { secrets, server }: { secrets: readonly string[]; server: string },
    private readonly ports: { clock: Environment['clock']; store: TimedStore },
  ) {
    this.#seal = new Seal(secrets, 'result of a method');
    this.#key = Buffer.from(hkdfSync('sha256', secrets[0]!, server, 'toolwright cached result key', 32));
  }

  async get(key: string): Promise<unknown> {
    const name = this.#nameOf(key);
    const answer = await this.ports.store.ask(() => this.cache.get(name));
    if (typeof answer?.value !== 'string') return undefined;
    const [until, result] = (this.#seal.open(answer.value, name) ?? []) as [until?: number, result?: string];
    return until !== undefined && until > this.ports.clock.now() ? result : undefined;
  }

  set(key: string, result: string, ttlMs: number): void {
    const name = this.#nameOf(key);
    // The time is sealed, too. Otherwise a program with access to the store could put an old result back.
    const sealed = this.#seal.seal([this.ports.clock.now() + ttlMs, result], name);
    // The caller does not wait for the store.
    void (async () => this.cache.set(name, sealed, ttlMs))().catch((error: unknown) =>
      this.ports.store.failed(error),
    );
  }

  #nameOf(key: string): string {
    return createHmac('sha256', this.#key).update(key).digest('base64url');
  }
}
