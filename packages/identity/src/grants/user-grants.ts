import type { UserGrant } from '@toolwright/json';
import { type OptionSchema, optionRules, parseOptions } from '@toolwright/core/options';
import { type Clock, type RecordStore, systemClock, silentLogger } from '@toolwright/core/ports';
import { IssuerClient } from '../exchange/issuer-client.js';
import { endGrant, type Revocation, ruleOfGrant } from './end-grant.js';
import { type GrantRecord, GrantRecords } from './grant-records.js';

export interface UserGrantsOptions {
  /** Where the grants are kept: `stores.records` of `redisStores` or `postgresStores`. */
  records: RecordStore;
  /** The secrets of the server, as its option `secrets`. */
  secrets: readonly string[];
  clock?: Clock;
}

const { callback, filledText, required, secret, secrets } = optionRules;

const userGrantsOptions = {
  records: required(optionRules.recordStore),
  secrets: required(secrets),
  clock: optionRules.clock,
} satisfies OptionSchema<UserGrantsOptions>;

export interface RevokeOptions {
  /** The secret of the client of the rule. A public client has none. */
  clientSecret?: string;
  /** Sends the requests, such as with a CA of your own. Default: `fetch`. */
  fetch?: typeof fetch;
}

const revokeOptions = {
  clientSecret: secret(filledText),
  fetch: callback,
} satisfies OptionSchema<RevokeOptions>;

/** The stored grants of users, for operators. */
export interface UserGrants {
  /** All grants, the oldest first. */
  list(): Promise<readonly UserGrant[]>;
  /** Ends a grant, here and then at its issuer. @returns `undefined` when there is no such grant */
  revoke(id: string, options?: RevokeOptions): Promise<Revocation | undefined>;
}

/**
 * The grants that users have stored for rules by `stored-grant`.
 *
 * @throws {ConfigurationError} for wrong options
 * @example
 * const grants = userGrants({ records: stores.records, secrets });
 * for (const grant of await grants.list()) if (grant.subject === leaver) await grants.revoke(grant.id);
 */
export function userGrants(options: UserGrantsOptions): UserGrants {
  const { records: store, ...settings } = parseOptions('userGrants', userGrantsOptions, options);
  const { clock = systemClock } = settings;
  const records = new GrantRecords(store, { clock, secrets: settings.secrets, keepMs: 1 });
  return {
    list: async () => (await records.list()).map(([id, record]) => userGrant(id, record)),
    async revoke(id, given = {}) {
      const { clientSecret, fetch } = parseOptions('revoke', revokeOptions, given);
      return endGrant(records, id, ({ resource, client }) => {
        const rule = ruleOfGrant({ resource, client });
        const own = { ...(clientSecret !== undefined && { clientSecret }), ...(fetch && { fetch }) };
        return new IssuerClient({ ...rule, ...own }, silentLogger);
      });
    },
  };
}

/** What may be shown of a grant. */
export function userGrant(id: string, record: GrantRecord): UserGrant {
  const { holder, resource, scopes, created, renewed, status } = record;
  return {
    id,
    ...holder,
    resource,
    scopes,
    created,
    renewed,
    ...(status === 'revoked' && { revoked: true as const }),
  };
}
