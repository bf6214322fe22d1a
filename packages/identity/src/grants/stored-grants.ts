import { digest, type ContextCall } from '@toolwright/core/extend';
import type { ClaimStore, Clock, Logger } from '@toolwright/core/ports';
import { ExchangeError } from '../exchange/exchange-error.js';
import type { IssuerClient } from '../exchange/issuer-client.js';
import { lastUse } from '../exchange/timed-cache.js';
import type { GrantAsking } from './ask-for-grant.js';
import type { GrantedTokens } from './grant-client.js';
import { holderOf } from './grant-holder.js';
import { type GrantRecord, GrantRecords, scopeKey } from './grant-records.js';
import type { GrantRequest } from './grant-requests.js';
import { covers, type GrantOutcome, GrantTokens } from './grant-tokens.js';

/** What a person has granted at the issuer of a resource. */
export interface NewGrant {
  readonly request: GrantRequest;
  readonly tokens: GrantedTokens;
  readonly issuer: IssuerClient;
}

export interface StoredGrantsParts {
  readonly records: GrantRecords;
  readonly asking: GrantAsking;
  readonly claims: ClaimStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Of two who write a grant at the same time, one begins again. */
const MOST_ATTEMPTS = 5;

/** The grants of people, as tools use them. */
export class StoredGrants {
  readonly #tokens: GrantTokens;

  constructor(private readonly parts: StoredGrantsParts) {
    this.#tokens = new GrantTokens(parts);
  }

  /**
   * A token for the caller. Without a grant, the person behind the caller is asked on a page.
   *
   * @param asked empty: all scopes that were granted
   * @throws {ExchangeError} which says to the model what to do
   */
  async tokenFor(
    call: ContextCall,
    issuer: IssuerClient,
    asked: readonly string[],
  ): Promise<{ token: string; outcome: GrantOutcome }> {
    const { resource } = issuer.rule;
    const holder = holderOf(call.request.principal);
    if (!holder)
      throw new ExchangeError(
        'TW_TOKEN_CALLER',
        `A token for ${resource} needs a caller that has signed in. This call has none.`,
      );
    const { asking } = this.parts;
    const wish = { id: GrantRecords.idOf(holder, resource, issuer.rule), issuer, scopes: asked };
    const key = `toolwright.grant.${digest([resource, asked]).slice(0, 16)}`;
    const found = await this.#tokens.obtain(wish);
    if (found) {
      await asking.end(call, key, holder);
      return found;
    }
    const scopes = await this.#scopesToAsk(wish);
    await asking.ask(call, { key, holder, resource, scopes }, () => this.#tokens.has(wish));
    const granted = await this.#tokens.obtain(wish);
    if (granted) return granted;
    throw new ExchangeError(
      'TW_TOKEN_REFUSED',
      `The user has signed in, but the issuer of ${resource} has not granted all that this tool needs: ${asked.join(', ')}. The user may lack access there.`,
    );
  }

  /** Keeps what a person has granted, in place of an earlier grant. */
  async store({ request, tokens, issuer }: NewGrant): Promise<void> {
    const { records, clock } = this.parts;
    const { holder, resource } = request;
    const { issuer: at, clientId, clientAuth } = issuer.rule;
    const id = GrantRecords.idOf(holder, resource, issuer.rule);
    const now = clock.now();
    const scopes = grantedScopes(request.scopes, tokens.scopes);
    const record: GrantRecord = {
      status: 'active',
      holder,
      resource,
      scopes,
      created: now,
      renewed: now,
      client: { issuer: at, clientId, clientAuth },
      refreshToken: tokens.refreshToken,
      tokens: { [scopeKey(scopes)]: { token: tokens.accessToken, until: lastUse(now, tokens.lifeMs) } },
    };
    // The refresh token of the earlier grant is not revoked: many issuers then end the new one, too.
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      const kept = await records.find(id);
      if (await records.write(id, record, kept?.text)) return;
    }
    throw new Error('A grant could not be written: others write it all the time.');
  }

  /** A person who grants more keeps what was granted before. */
  async #scopesToAsk({ id, scopes }: { id: string; scopes: readonly string[] }): Promise<string[]> {
    const record = (await this.parts.records.find(id))?.record;
    const before = record?.status === 'active' && !covers(record, scopes) ? record.scopes : [];
    return [...new Set([...before, ...scopes])].sort();
  }
}

/**
 * The scopes that were granted, by the names under which they were asked for. Entra ID takes the resource off the names.
 */
function grantedScopes(asked: readonly string[], named: readonly string[] | undefined): readonly string[] {
  if (named === undefined) return asked;
  if (asked.length === 0) return named.filter((scope) => scope !== 'offline_access');
  return asked.filter((scope) => named.some((name) => scope === name || scope.endsWith(`/${name}`)));
}
