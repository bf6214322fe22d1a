import { hash } from 'node:crypto';
import type { Clock } from '@toolwright/core/ports';
import { TimedCache } from '../exchange/timed-cache.js';
import type { TokenClaims } from '../issuers/issuer-preset.js';

/** Asks the issuer about one token. `undefined`: it is not active. */
export type AskIssuer = (token: string) => Promise<TokenClaims | undefined>;

export interface IntrospectorLimits {
  readonly rememberMs: number;
  readonly rememberRefusedMs: number;
  readonly rememberedTokens: number;
  readonly atOnce: number;
}

/**
 * Remembers what an issuer has said, so that it is not asked at each request.
 *
 * Strangers can invent tokens. What is known of those has a room of its own, and pushes out nothing that is known of valid
 * ones. Each of them still is a question, so the number of questions at a time is limited. A token is kept as its digest.
 */
export class Introspector {
  readonly #active: TimedCache<{ readonly claims: TokenClaims; readonly until: number }>;
  readonly #refused: TimedCache<{ readonly until: number }>;
  readonly #asked = new Map<string, Promise<TokenClaims | undefined>>();

  constructor(
    private readonly askIssuer: AskIssuer,
    private readonly limits: IntrospectorLimits,
    private readonly clock: Clock,
  ) {
    this.#active = new TimedCache(clock, limits.rememberedTokens);
    this.#refused = new TimedCache(clock, limits.rememberedTokens);
  }

  /** @throws {Error} when the issuer cannot be asked now */
  async ask(token: string): Promise<TokenClaims | undefined> {
    const id = hash('sha256', token, 'base64url');
    const known = this.#active.get(id);
    if (known) return known.claims;
    if (this.#refused.get(id)) return undefined;
    const running = this.#asked.get(id);
    if (running) return running;
    if (this.#asked.size >= this.limits.atOnce)
      throw new Error(`${this.limits.atOnce} tokens are being asked about already`);
    const question = this.#ask(id, token).finally(() => this.#asked.delete(id));
    this.#asked.set(id, question);
    return question;
  }

  async #ask(id: string, token: string): Promise<TokenClaims | undefined> {
    const claims = await this.askIssuer(token);
    const now = this.clock.now();
    if (!claims) this.#refused.set(id, { until: now + this.limits.rememberRefusedMs });
    else this.#active.set(id, { claims, until: Math.min(now + this.limits.rememberMs, endOf(claims)) });
    return claims;
  }
}

function endOf({ exp }: TokenClaims): number {
  return typeof exp === 'number' ? exp * 1_000 : Number.POSITIVE_INFINITY;
}
