import type { ClaimStore, Clock, Logger } from '@toolwright/core/ports';
import { ExchangeError } from '../exchange/exchange-error.js';
import type { IssuerClient } from '../exchange/issuer-client.js';
import { OneAtATime } from '../exchange/one-at-a-time.js';
import { lastUse, SKEW_MS } from '../exchange/timed-cache.js';
import { GrantClient, type GrantedTokens } from './grant-client.js';
import { type GrantRecord, type GrantRecords, type KeptGrant, scopeKey } from './grant-records.js';
import { FAILURE_MS } from '../exchange/token-broker.js';

/** How a call came to its token: `stored` was there, `refreshed` asked the issuer, `shared` waited for another call. */
export type GrantOutcome = 'stored' | 'refreshed' | 'shared';

/** A token that a call wants. */
export interface GrantedTokenWish {
  /** The id of the grant. */
  readonly id: string;
  readonly issuer: IssuerClient;
  /** Empty: all that were granted. */
  readonly scopes: readonly string[];
}

interface Obtained {
  readonly token: string;
  readonly outcome: GrantOutcome;
}

export interface GrantTokensPorts {
  readonly records: GrantRecords;
  readonly claims: ClaimStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** How many sets of scopes a grant has tokens for. */
const MOST_TOKENS = 8;

const STALE = Symbol('the token has to be refreshed');

/**
 * Gets tokens of stored grants. Each call reads the record, so a revocation counts at once, in all processes. When a token
 * runs out, one call of all processes holds a claim and asks the issuer. A refresh token may change with each use, and an
 * old one that comes again ends the grant at many issuers: so never two ask at a time.
 */
export class GrantTokens {
  readonly #running = new Map<string, Promise<Obtained | undefined>>();
  /** Grants whose new refresh token could not be stored yet. The old one is worth nothing any more. */
  readonly #unsaved = new Map<string, { readonly record: GrantRecord; readonly was: string }>();

  readonly #turns: OneAtATime;

  constructor(private readonly ports: GrantTokensPorts) {
    this.#turns = new OneAtATime(ports);
  }

  /**
   * @returns `undefined` when there is no grant that covers the scopes
   * @throws {ExchangeError} when there is a grant, and no token
   */
  async obtain(wish: GrantedTokenWish): Promise<Obtained | undefined> {
    const found = await this.#look(wish);
    if (found !== STALE) return found === undefined ? undefined : { token: found, outcome: 'stored' };
    const key = JSON.stringify([wish.id, wish.scopes]);
    const running = this.#running.get(key);
    if (running) {
      const obtained = await running;
      return obtained && { ...obtained, outcome: 'shared' };
    }
    const renewing = this.#renew(wish).finally(() => this.#running.delete(key));
    this.#running.set(key, renewing);
    return renewing;
  }

  /** True if there is a grant that covers the scopes. */
  async has(wish: GrantedTokenWish): Promise<boolean> {
    const kept = await this.#find(wish);
    return isUsable(kept) && covers(kept.record, wish.scopes);
  }

  /** Waits until this process may ask the issuer, or another one has asked it. */
  async #renew(wish: GrantedTokenWish): Promise<Obtained | undefined> {
    const done = await this.#turns.run<Obtained | undefined>({
      name: `grant ${wish.id}`,
      timeoutMs: wish.issuer.rule.timeoutMs,
      look: async () => {
        const found = await this.#look(wish);
        if (found === STALE) return undefined;
        return { found: found === undefined ? undefined : { token: found, outcome: 'shared' } };
      },
      work: () => this.#refresh(wish),
      unclaimed: (error) => this.#unavailable(wish, error),
    });
    if (!done) throw unavailable(wish);
    return 'made' in done ? done.made : done.found;
  }

  async #refresh(wish: GrantedTokenWish): Promise<Obtained | undefined> {
    const { id, issuer, scopes } = wish;
    const { clock, logger, records } = this.ports;
    const kept = await this.#find(wish);
    if (!isUsable(kept)) return undefined;
    const { record, text } = kept;
    const isAll = scopes.length === 0 || scopes.length === record.scopes.length;
    const client = new GrantClient(issuer);
    let answer: GrantedTokens;
    try {
      answer = await client.refresh(record.refreshToken!, isAll ? [] : scopes);
    } catch (error) {
      const failed = issuer.explain(error);
      const isOver = (error as { error?: unknown }).error === 'invalid_grant';
      const { code, message } = failed;
      const changed: GrantRecord = isOver
        ? { ...record, status: 'ended', refreshToken: undefined, tokens: {} }
        : { ...record, failure: { code, message, until: clock.now() + FAILURE_MS } };
      await this.#orUnavailable(wish, () => records.write(id, changed, text));
      if (isOver) return undefined;
      throw failed;
    }
    const next = renewedGrant(record, answer, { scopes, now: clock.now() });
    try {
      if (await records.write(id, next, text)) return { token: answer.accessToken, outcome: 'refreshed' };
    } catch (err) {
      logger.error({ err, grant: id }, 'A grant could not be stored after its refresh; it is tried again');
      this.#unsaved.set(id, { record: next, was: text });
      return { token: answer.accessToken, outcome: 'refreshed' };
    }
    return this.#overtaken(wish, answer);
  }

  /** The grant was revoked, or granted anew, while the issuer was asked. What the issuer gave belongs to nobody. */
  async #overtaken(wish: GrantedTokenWish, answer: GrantedTokens): Promise<Obtained | undefined> {
    const found = await this.#look(wish);
    if (typeof found === 'string') return { token: found, outcome: 'shared' };
    if (answer.refreshToken !== undefined)
      await new GrantClient(wish.issuer).revoke(answer.refreshToken).catch((error: unknown) => {
        wish.issuer.explain(error);
      });
    return undefined;
  }

  /** A token that can be used now; `undefined` without a grant that covers the scopes. */
  async #look(wish: GrantedTokenWish): Promise<string | typeof STALE | undefined> {
    const { clock } = this.ports;
    const kept = await this.#find(wish);
    if (!isUsable(kept) || !covers(kept.record, wish.scopes)) return undefined;
    const { tokens, refreshToken, failure, renewed } = kept.record;
    const token = tokens[keyOf(wish.scopes, kept.record)];
    const now = clock.now();
    // If the clock was set back since then, the record says nothing about now.
    if (token && token.until > now && now > renewed - SKEW_MS) return token.token;
    if (failure && failure.until > now && failure.until <= now + FAILURE_MS + SKEW_MS)
      throw new ExchangeError(failure.code, failure.message);
    return refreshToken === undefined ? undefined : STALE;
  }

  async #find(wish: GrantedTokenWish): Promise<KeptGrant | undefined> {
    const { records } = this.ports;
    return this.#orUnavailable(wish, async () => {
      const unsaved = this.#unsaved.get(wish.id);
      if (unsaved) {
        await records.write(wish.id, unsaved.record, unsaved.was);
        this.#unsaved.delete(wish.id);
      }
      return records.find(wish.id);
    });
  }

  /** Without the store nobody knows whether the grant was revoked, so nobody gets a token. */
  async #orUnavailable<T>(wish: GrantedTokenWish, run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      throw this.#unavailable(wish, error);
    }
  }

  #unavailable(wish: GrantedTokenWish, err: unknown): ExchangeError {
    this.ports.logger.error({ err }, 'The store of grants does not answer, so tools get no token');
    return unavailable(wish);
  }
}

const unavailable = ({ issuer }: GrantedTokenWish) =>
  new ExchangeError(
    'TW_TOKEN_UNAVAILABLE',
    `There is no token for ${issuer.rule.resource} right now, because the server cannot read the grant of the user. Try again later.`,
  );

function isUsable(kept: KeptGrant | undefined): kept is KeptGrant & { record: GrantRecord } {
  return kept?.record?.status === 'active';
}

/** True when the person has granted all of these scopes. */
export function covers({ scopes }: GrantRecord, asked: readonly string[]): boolean {
  return asked.every((scope) => scopes.includes(scope));
}

/** The record after the issuer has given tokens. @param given.scopes the scopes of the request; empty: all */
function renewedGrant(
  record: GrantRecord,
  { accessToken, lifeMs, refreshToken }: GrantedTokens,
  { scopes, now }: { scopes: readonly string[]; now: number },
): GrantRecord {
  const alive = Object.entries(record.tokens).filter(([, { until }]) => until > now);
  const token = { token: accessToken, until: lastUse(now, lifeMs) };
  const { failure: _, ...rest } = record;
  return {
    ...rest,
    refreshToken: refreshToken ?? record.refreshToken,
    tokens: { ...Object.fromEntries(alive.slice(1 - MOST_TOKENS)), [keyOf(scopes, record)]: token },
    renewed: now,
  };
}

const keyOf = (asked: readonly string[], { scopes }: GrantRecord) =>
  scopeKey(asked.length === 0 ? scopes : asked);
