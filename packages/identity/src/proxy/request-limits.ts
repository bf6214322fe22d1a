import type { IncomingMessage } from 'node:http';
import { isLoopbackAddress, networkOf } from '@toolwright/json';
import type { Logger, RateLimiter, RateLimitRule } from '@toolwright/core/ports';

/** How many requests one address may send in a minute. */
export interface ProxyLimits {
  /** Of registrations. Default: 10. */
  readonly registrations?: number;
  /** Of sign-ins: requests of authorization, the pages of consent, and the way back from the issuer. Default: 60. */
  readonly signIns?: number;
  /** Of tokens. Default: 300. */
  readonly tokens?: number;
}

export const DEFAULT_LIMITS: Required<ProxyLimits> = { registrations: 10, signIns: 60, tokens: 300 };

const MINUTE_MS = 60_000;

/** Headers that say whose request a balancer passes on. Anybody may write them, so they only show that there may be one. */
const PASSED_ON = ['forwarded', 'x-forwarded-for', 'x-real-ip'];

/** Endpoints that keep nothing, and that every client asks. */
const FREE = new Set(['/oauth/jwks', '/oauth/revoke']);

interface LimitParts {
  readonly issuer: string;
  readonly limits: Required<ProxyLimits> | false;
  readonly limiter: RateLimiter;
  readonly clientAddress: ((req: IncomingMessage) => string | undefined) | undefined;
  readonly logger: Pick<Logger, 'warn'> | undefined;
}

/** Counts the requests of each address, because everybody may send them and most of them leave something in the store. */
export class RequestLimits {
  readonly #rules: Readonly<Record<keyof ProxyLimits, RateLimitRule>> | undefined;
  #isWarned = false;
  #isSeenBehind = false;

  constructor(private readonly parts: LimitParts) {
    const { limits } = parts;
    const ruleOf = (points: number): RateLimitRule => ({ points, perMs: MINUTE_MS });
    this.#rules = limits
      ? {
          registrations: ruleOf(limits.registrations),
          signIns: ruleOf(limits.signIns),
          tokens: ruleOf(limits.tokens),
        }
      : undefined;
  }

  /**
   * Takes a point for a request.
   *
   * @param pathname below `/oauth/`
   * @returns how many seconds its address must wait; 0 if the request may go on
   */
  async secondsToWait(req: IncomingMessage, pathname: string): Promise<number> {
    this.#seeBalancer(req);
    const kind = kindOf(pathname);
    if (!this.#rules || kind === undefined) return 0;
    const { issuer, limiter, logger } = this.parts;
    try {
      const address = this.#addressOf(req);
      if (address === undefined) return 0;
      const key = `${issuer} ${kind} ${networkOf(address)}`;
      const { allowed, retryAfterMs } = await limiter.consume(key, 1, this.#rules[kind]);
      if (allowed) return 0;
      if (!this.#isWarned)
        logger?.warn(
          { address, kind },
          'An address sends too many requests to the authorization proxy. If it is that of a balancer, set "clientAddress" of openAuthorizationProxy.',
        );
      this.#isWarned = true;
      return Math.max(1, Math.ceil(retryAfterMs / 1_000));
    } catch (error) {
      // A sign-in does not fail because nobody can count it.
      logger?.warn({ err: error }, 'The requests to the authorization proxy cannot be counted');
      return 0;
    }
  }

  /** Everybody shares one quota then, or none where the balancer is on this machine, so it is said before anything is refused. */
  #seeBalancer({ headers }: IncomingMessage): void {
    const { clientAddress, logger } = this.parts;
    if (this.#isSeenBehind || clientAddress || !this.#rules) return;
    if (!PASSED_ON.some((name) => headers[name] !== undefined)) return;
    this.#isSeenBehind = true;
    logger?.warn(
      { option: 'clientAddress' },
      'The authorization proxy gets requests that somebody in front has passed on, and counts all of them as those of one address, or not at all on this machine. If that is your balancer, set "clientAddress" of openAuthorizationProxy.',
    );
  }

  /** A connection from this machine comes from a balancer or from its owner, and says nothing of others. */
  #addressOf(req: IncomingMessage): string | undefined {
    const { clientAddress } = this.parts;
    if (clientAddress) return clientAddress(req);
    const address = req.socket.remoteAddress;
    return address === undefined || isLoopbackAddress(address) ? undefined : address;
  }
}

/** Any other path counts as a sign-in: the router behind reads paths in its own way. */
function kindOf(pathname: string): keyof ProxyLimits | undefined {
  const path = pathname.toLowerCase().replace(/\/+$/, '');
  if (path === '/oauth/register') return 'registrations';
  if (path === '/oauth/token') return 'tokens';
  return FREE.has(path) || !path.startsWith('/oauth/') ? undefined : 'signIns';
}
