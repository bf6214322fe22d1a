import { sealingSecrets } from '@toolwright/json';
import type { Principal } from '@toolwright/core';
import {
  type ContextCall,
  digest,
  type Extension,
  type ExtensionHost,
  type ExtensionParts,
  Seal,
} from '@toolwright/core/extend';
import { type ExchangeRule, parseOptions, type TokenForOptions } from '@toolwright/core/options';
import { grantsOptions } from '../grants/grant-options.js';
import { ExchangeError } from '../exchange/exchange-error.js';
import { parseRules, type ResourceRule } from '../exchange/exchange-rule.js';
import { identityMetrics } from '../metrics.js';
import { type IssuedToken, IssuerClient } from '../exchange/issuer-client.js';
import { openGrants, type GrantsSetting } from '../grants/grants-of-server.js';
import type { GrantPage } from '../grants/grant-page.js';
import type { StoredGrants } from '../grants/stored-grants.js';
import { missingPage, pagesOf } from '../grants/grant-pages.js';
import type { PageHandler } from '../pages/question-page.js';
import { TokenBroker } from '../exchange/token-broker.js';

const TOKENS = 'toolwright.server.identity.tokens';

declare module '@toolwright/core/extend' {
  interface BackgroundNouns {
    /** Audit records of tokens for other resources. */
    token: true;
    /** Audit records of what users have granted, or refused. */
    grant: true;
  }
}

/** What `oauthResourceServer` uses of this package when it has the option `exchange`. */
export interface TokenExchange {
  /** Keeps the token of a caller for the time of its request, and returns the principal to go on with. */
  hold(principal: Principal, token: string): Principal;
  readonly extension: Extension;
  /** The page on which users connect resources, if the option `grants` is set. */
  readonly pages: PageHandler;
}

/**
 * Gives tools tokens for what lies behind the server: `ctx.tokenFor(resource)`.
 *
 * @param rules the option `exchange` of `oauthResourceServer`
 * @param grants its option `grants`, and what says who a person is
 * @throws {ConfigurationError} when a rule is wrong
 */
export function openTokenExchange(
  rules: Readonly<Record<string, ExchangeRule>>,
  grants?: GrantsSetting,
): TokenExchange {
  const parsed = parseRules(rules);
  const stored = [...parsed.values()].find(({ by }) => by === 'stored-grant');
  if (stored && !grants) throw missingPage(stored.resource);
  if (grants) parseOptions('oauthResourceServer: grants', grantsOptions, grants.options);
  const callers = new CallerTokens();
  const pages: GrantPage[] = [];
  return {
    hold: (principal, token) => callers.hold(principal, token),
    pages: pagesOf(grants?.options.url, pages),
    extension: {
      name: '@toolwright/identity exchange',
      hasSettings: true,
      start(host) {
        const tokens = new ResourceTokens(parsed, callers, { host, grants });
        if (tokens.page) pages.push(tokens.page);
        return {
          ...(tokens.operator && { operator: tokens.operator }),
          context: {
            tokenFor: (call) => (resource: string, options?: TokenForOptions) =>
              tokens.get(call, resource, options),
          },
        };
      },
    },
  };
}

/** The tokens of one server for other resources. */
class ResourceTokens {
  readonly #broker: TokenBroker;
  readonly #issuers = new Map<string, IssuerClient>();
  readonly #grants: StoredGrants | undefined;
  readonly page: GrantPage | undefined;
  /** What operators can do with the grants of this server. */
  readonly operator: ExtensionParts['operator'];
  readonly #count: (attributes: Record<string, string>) => void;

  constructor(
    private readonly rules: ReadonlyMap<string, ResourceRule>,
    private readonly callers: CallerTokens,
    private readonly setting: { readonly host: ExtensionHost; readonly grants: GrantsSetting | undefined },
  ) {
    const { host, grants } = setting;
    const { stores, clock, logger } = host;
    const { claims, records } = stores;
    const seal = new Seal(sealingSecrets(host), 'exchanged token', { logger });
    this.#broker = new TokenBroker({ claims, records, clock, logger, seal });
    for (const [resource, rule] of rules) this.#issuers.set(resource, new IssuerClient(rule, logger));
    const opened = grants && openGrants(host, grants, this.#issuers);
    this.#grants = opened?.grants;
    this.page = opened?.page;
    this.operator = opened?.operator;
    const [, unit, description] = identityMetrics[TOKENS];
    this.#count = host.counter(TOKENS, { unit, description });
  }

  /** @throws {ExchangeError} which says to the model what to do */
  async get(call: ContextCall, resource: string, options: TokenForOptions = {}): Promise<string> {
    const { principal } = call.request;
    const rule = this.#ruleOf(resource);
    let outcome = 'failed';
    const scopes = options.scopes ?? rule.scopes ?? [];
    try {
      requireScopes(rule, scopes);
      const obtained = await this.#obtain(call, rule, scopes);
      ({ outcome } = obtained);
      return obtained.token;
    } catch (error) {
      if (error instanceof ExchangeError) outcome = error.code;
      else if (call.request.input.pending.size > 0) outcome = 'asked';
      throw error;
    } finally {
      this.#count({ 'toolwright.token.by': rule.by, 'toolwright.token.outcome': outcome });
      this.setting.host.record({
        operation: 'token',
        name: resource,
        outcome: /^(?:TW_|failed|asked)/.test(outcome) ? outcome : 'ok',
        principal,
        fields: { resource, scopes: [...scopes].sort(), by: rule.by, source: outcome },
      });
    }
  }

  #ruleOf(resource: string): ResourceRule {
    const rule = this.rules.get(resource);
    if (rule) return rule;
    throw new ExchangeError(
      'TW_TOKEN_RULE',
      `This tool needs a token for ${resource}, and the server has no way to get one. Its operator adds the resource to the option "exchange" of oauthResourceServer.`,
    );
  }

  #obtain(call: ContextCall, rule: ResourceRule, scopes: readonly string[]) {
    if (rule.by !== 'stored-grant') return this.#broker.obtain(this.#wish(call, rule, scopes));
    return this.#grants!.tokenFor(call, this.#issuers.get(rule.resource)!, [...new Set(scopes)].sort());
  }

  #wish(call: ContextCall, rule: ResourceRule, scopes: readonly string[]) {
    const issuer = this.#issuers.get(rule.resource)!;
    const { by, timeoutMs } = rule;
    const asked = [...new Set(scopes)].sort();
    const base = [by, rule.issuer, rule.clientId, rule.resource, rule.audience ?? null, asked];
    if (by === 'client-credentials')
      return { id: digest(base), timeoutMs, fetch: () => issuer.clientCredentials(asked) };
    // Before the cache is asked: what the caller may not get now, it does not get from an earlier call either.
    const token = this.#callerToken(call, rule);
    const fetch = (): Promise<IssuedToken> =>
      by === 'on-behalf-of' ? issuer.onBehalfOf(token, asked) : issuer.exchange(token, asked);
    return { id: digest([...base, identityOf(call.request.principal!)]), timeoutMs, fetch };
  }

  #callerToken({ request }: ContextCall, { resource, by }: ResourceRule): string {
    const token = this.callers.of(request.principal);
    if (token !== undefined) return token;
    const isQueued = request.task?.started && request.task.isQueued;
    throw new ExchangeError(
      'TW_TOKEN_CALLER',
      isQueued
        ? `A durable task gets no token for ${resource} by ${by}: its caller is gone, and so is the caller's token. Get what needs the token before the task starts, or use a rule with client-credentials or stored-grant.`
        : `A token for ${resource} needs a caller that has signed in with an access token. This call has none.`,
    );
  }
}

function requireScopes({ resource, scopes: allowed }: ResourceRule, asked: readonly string[]): void {
  const wrong = allowed && asked.find((scope) => !allowed.includes(scope));
  if (wrong === undefined) return;
  throw new ExchangeError(
    'TW_TOKEN_RULE',
    `This tool asks for the scope ${JSON.stringify(wrong)} of ${resource}, which the server does not allow. Its operator adds it to "scopes" of the resource in the option "exchange" of oauthResourceServer.`,
  );
}

/**
 * Whose a token is, with all that makes two tokens of one person differ. A token with fewer rights must not find what
 * was exchanged for one with more.
 */
function identityOf(principal: Principal): unknown[] {
  const { issuer, subject, clientId, scopes, claims = {} } = principal;
  const { tenant } = principal as { tenant?: unknown };
  const { tid, act, acr, sid } = claims as Record<string, unknown>;
  const parts = [issuer, subject, tenant, clientId, tid, act, acr, sid];
  return [...parts.map((part) => (part === undefined ? null : part)), [...scopes].sort()];
}

/**
 * The tokens of callers, for as long as their requests last. A tool sees the principal and cannot get from it to the
 * token: only whoever has this object can. Nothing here is ever written or logged.
 */
class CallerTokens {
  readonly #held = new WeakMap<object, string>();

  /** @returns the principal of this request alone: that of the server's memory of tokens would keep the token alive */
  hold(principal: Principal, token: string): Principal {
    const own = Object.freeze({ ...principal });
    this.#held.set(own, token);
    return own;
  }

  of(principal: Principal | undefined): string | undefined {
    return principal && this.#held.get(principal);
  }
}
