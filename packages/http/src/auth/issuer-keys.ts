import { type Clock, monotonic } from '@toolwright/core/ports';
import type { JWTVerifyGetKey } from 'jose';
import { AsyncLocalStorage } from 'node:async_hooks';
import { discoverJwksUri, fetchJson } from './discover-jwks-uri.js';
import type { TrustedIssuer } from './trusted-issuer.js';

/** Keys that are older than this are fetched again before they are used, if the issuer can be reached. */
const REFRESH_MS = 300_000;
/**
 * Anybody can send a token with the id of a key that does not exist. The issuer must not be asked for each of
 * them.
 */
const FETCH_EVERY_MS = 1_000;
const FETCH_BURST = 5;

/** The issuer cannot be asked for its keys or about a token now, so nothing is known about the token. */
export class IssuerUnreachableError extends Error {
  constructor(
    readonly issuer: string,
    options: ErrorOptions,
  ) {
    super(`The issuer ${issuer} cannot be asked.`, options);
  }
}

interface KeyAges {
  clock: Clock;
  /** After how many milliseconds keys are no longer trusted, if the issuer has not confirmed them again. */
  maxAgeMs: number;
}

interface KnownKeys {
  getKey: JWTVerifyGetKey;
  /** The set of keys as the issuer sent it. */
  text: string;
  fetchedAt: number;
}

/** Cloudflare Workers tie each fetch to the request that is being served: in the context of another one it fails. */
function isWorkerd(): boolean {
  return (globalThis as { navigator?: { userAgent?: string } }).navigator?.userAgent === 'Cloudflare-Workers';
}

/**
 * The keys of one issuer. They are fetched when they are first needed.
 *
 * - A new key is known at once. If no known key fits a token, the issuer is asked again, and the request
 *   waits for the answer.
 * - A flood of such tokens causes one request a second to the issuer, and all of them wait for the same one.
 * - A key that the issuer has withdrawn is used for five minutes at most.
 * - While the issuer cannot be reached, its last keys are used until they are too old.
 */
export class IssuerKeys {
  #known: KnownKeys | undefined;
  #jwksUri: string | undefined;
  #running: Promise<void> | undefined;
  /** A fetch that is planned and has not started yet. */
  #next: Promise<void> | undefined;
  /** True when the last fetch failed. */
  #failing = false;
  readonly #pacer: Pacer;
  readonly #refreshMs: number;
  /** Keys are fetched for all callers. The request that finds them too old must not lend its context. */
  readonly #atBoot: <T>(work: () => T) => T = isWorkerd() ? (work) => work() : AsyncLocalStorage.snapshot();

  constructor(
    private readonly trusted: TrustedIssuer,
    private readonly ages: KeyAges,
  ) {
    this.#pacer = new Pacer(ages.clock, FETCH_EVERY_MS, FETCH_BURST);
    this.#refreshMs = Math.min(REFRESH_MS, ages.maxAgeMs / 2);
  }

  /**
   * Tries to verify something with the keys. If no key fits and the issuer has other keys by now, it tries
   * once more.
   *
   * @param isAboutKeys true for an error of `verify` that may be due to a missing key
   * @throws {IssuerUnreachableError} when no keys can be fetched, or only the keys that do not fit
   */
  async use<T>(
    verify: (getKey: JWTVerifyGetKey) => Promise<T>,
    isAboutKeys: (error: unknown) => boolean,
  ): Promise<T> {
    const getKey = await this.#current();
    try {
      return await verify(getKey);
    } catch (error) {
      if (!isAboutKeys(error)) throw error;
      if (this.#known?.getKey === getKey) await this.#mustFetch();
      if (this.#known?.getKey === getKey) throw error;
      return verify(this.#known!.getKey);
    }
  }

  /** True while these keys are the issuer's, and need not be fetched again before they are used. */
  areCurrent(getKey: JWTVerifyGetKey): boolean {
    return this.#known?.getKey === getKey && this.#areFresh(this.#known);
  }

  #areFresh({ fetchedAt }: KnownKeys): boolean {
    return monotonic(this.ages.clock) - fetchedAt < this.#refreshMs;
  }

  async #current(): Promise<JWTVerifyGetKey> {
    const known = this.#known;
    if (known && this.#areFresh(known)) return known.getKey;
    const isUsable = known !== undefined && monotonic(this.ages.clock) - known.fetchedAt < this.ages.maxAgeMs;
    if (!isUsable) await this.#mustFetch(this.#running);
    // If the issuer hangs, callers must not wait for it. The present keys can be used for a while.
    else if (this.#failing) this.#fetchAnew().catch(() => undefined);
    else await (this.#running ?? this.#fetchAnew()).catch(() => undefined);
    return this.#known!.getKey;
  }

  /** @throws {IssuerUnreachableError} */
  async #mustFetch(fetch: Promise<void> = this.#fetchAnew()): Promise<void> {
    try {
      await fetch;
    } catch (cause) {
      throw new IssuerUnreachableError(this.trusted.issuer, { cause });
    }
  }

  /**
   * Starts a fetch after this moment. A fetch that is already running may have started before the issuer had
   * its new key.
   */
  #fetchAnew(): Promise<void> {
    return (this.#next ??= this.#atBoot(() => this.#begin()));
  }

  async #begin(): Promise<void> {
    await this.#running?.catch(() => undefined);
    await this.#pacer.turn();
    this.#next = undefined;
    this.#running = this.#fetch();
    try {
      await this.#running;
    } finally {
      this.#running = undefined;
    }
  }

  async #fetch(): Promise<void> {
    const { jwksUri, fetch } = this.trusted;
    try {
      this.#jwksUri ??= jwksUri ?? (await discoverJwksUri(this.trusted));
      this.#take(await fetchJson(this.#jwksUri, fetch));
      this.#failing = false;
    } catch (error) {
      this.#failing = true;
      // The issuer may have moved its keys to another address.
      this.#jwksUri = undefined;
      throw error;
    }
  }

  /** @throws {Error} when it is not a set of keys */
  #take(jwks: Record<string, unknown>): void {
    const text = JSON.stringify(jwks);
    const isSame = this.#known?.text === text;
    const getKey = isSame ? this.#known!.getKey : loadJose().createLocalJWKSet(jwks as never);
    this.#known = { getKey, text, fetchedAt: monotonic(this.ages.clock) };
  }
}

/**
 * Lets a few events pass at once, and then one at a time. It is for work that strangers can cause and others
 * must carry out.
 */
class Pacer {
  /** When the next one would be due if all had come evenly. */
  #due = Number.NEGATIVE_INFINITY;

  /**
   * @param everyMs the milliseconds between two that pass, in the long run
   * @param burst how many may pass without waiting after a pause
   */
  constructor(
    private readonly clock: Clock,
    private readonly everyMs: number,
    private readonly burst: number,
  ) {}

  /** Resolves when one more may pass. Only one caller may wait at a time. */
  async turn(): Promise<void> {
    const now = monotonic(this.clock);
    const earliest = now - this.burst * this.everyMs;
    this.#due = Math.min(Math.max(this.#due, earliest), now) + this.everyMs;
    const delay = this.#due - now;
    if (delay > 0) await new Promise<void>((resolve) => this.clock.after(delay, resolve));
  }
}

let loaded: typeof import('jose') | undefined;

/**
 * Loads jose when the first token has to be checked. It uses `require`, which Node also gives to ES modules,
 * because Jest cannot run the `import()` of a compiled package.
 */
export function loadJose(): typeof import('jose') {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- lazily, see above
  return (loaded ??= require('jose') as typeof import('jose'));
}
