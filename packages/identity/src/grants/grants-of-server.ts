import { sealingSecrets } from '@toolwright/json';
import type { Principal } from '@toolwright/core';
import type { ExtensionHost, OperatorMethod } from '@toolwright/core/extend';
import { type GrantsOptions, parseOptions } from '@toolwright/core/options';
import { MemoryRecordStore, silentLogger } from '@toolwright/core/ports';
import { addressOf } from '../pages/question-page.js';
import { IssuerClient } from '../exchange/issuer-client.js';
import { identityMetrics } from '../metrics.js';
import { shellOf } from '../pages/page.js';
import { SignIn, type TokenChecker } from '../pages/sign-in.js';
import { GrantAsking } from './ask-for-grant.js';
import { grantsOptions } from './grant-options.js';
import { GrantPage } from './grant-page.js';
import { GrantRecords } from './grant-records.js';
import { OwnGrants } from './own-grants.js';
import { GrantRequests } from './grant-requests.js';
import { StoredGrants } from './stored-grants.js';
import { endGrant, ruleOfGrant } from './end-grant.js';
import { userGrant } from './user-grants.js';

const GRANTS = 'toolwright.server.identity.grants';

/** The option `grants` of `oauthResourceServer`, and what checks who a person is. */
export interface GrantsSetting {
  readonly options: GrantsOptions;
  readonly tokens: TokenChecker;
}

/** Puts together what one server needs for grants: its records, its questions and its page. */
export function openGrants(
  host: ExtensionHost,
  { options: given, tokens }: GrantsSetting,
  issuers: ReadonlyMap<string, IssuerClient>,
): { grants: StoredGrants; page: GrantPage; operator: Readonly<Record<string, OperatorMethod>> } {
  const { clock, logger, stores } = host;
  const options = parseOptions('oauthResourceServer: grants', grantsOptions, given);
  const url = new URL(options.url);
  const store = stores.records ?? new MemoryRecordStore(clock);
  if (stores.records && !host.secrets)
    logger.warn(
      { option: 'secrets' },
      'This server keeps grants of users in a store, but it has no secrets: after a restart it cannot open them, and its other processes cannot either',
    );
  if (!stores.records && (stores.bus || stores.leases || stores.sessions))
    logger.warn(
      { option: 'stores.records' },
      'The processes of this server share stores, but none for records, so each one has to ask its users for their grants',
    );
  const secrets = sealingSecrets(host);
  const requests = new GrantRequests(store, clock, secrets);
  const records = new GrantRecords(store, { clock, secrets, keepMs: options.keep });
  const [, unit, description] = identityMetrics[GRANTS];
  const countEnd = host.counter(GRANTS, { unit, description });
  const count = (outcome: string) => countEnd({ 'toolwright.grant.outcome': outcome });
  const lifetimeMs = options.lifetime;
  const address = (id: string) => addressOf(url, id);
  const asking = new GrantAsking({ requests, clock, lifetimeMs, address, count });
  const grants = new StoredGrants({ records, asking, claims: stores.claims, clock, logger });
  const purpose = 'grants';
  const signIn = new SignIn({ ...options, url, tokens, secrets, purpose, clock, logger });
  const serverName = host.server.info.title ?? host.server.info.name;
  const record = (resource: string, principal: Principal, outcome: string, scopes: readonly string[]) =>
    host.record({
      operation: 'grant',
      name: resource,
      principal,
      outcome,
      fields: { resource, scopes: [...scopes].sort() },
    });
  const ownGrants = new OwnGrants({
    url,
    records,
    signIn,
    logger,
    serverName,
    issuers: [...issuers.values()].filter(({ rule }) => rule.by === 'stored-grant'),
    ended({ resource, scopes }, principal, outcome) {
      count('ended');
      record(resource, principal, outcome === 'failed' ? 'failed at its issuer' : 'ended', scopes);
    },
  });
  const page = new GrantPage({
    url,
    requests,
    signIn,
    secrets,
    clock,
    logger,
    lifetimeMs,
    serverName,
    shell: shellOf(host.server.info),
    ownGrants,
    issuerOf: (resource) => issuers.get(resource),
    store: (grant) => grants.store(grant),
    ended({ resource, scopes }, principal, outcome) {
      // The call that waits counts a refusal.
      if (outcome === 'granted') count(outcome);
      record(resource, principal, outcome === 'granted' ? 'ok' : outcome, scopes);
    },
  });
  return { grants, page, operator: grantsForOperators(records, issuers) };
}

/** What operators of a server see of the grants, and how they end one. The audit log has each revocation. */
function grantsForOperators(
  records: GrantRecords,
  issuers: ReadonlyMap<string, IssuerClient>,
): Readonly<Record<string, OperatorMethod>> {
  return {
    'grants.list': { run: async () => (await records.list()).map(([id, record]) => userGrant(id, record)) },
    'grants.revoke': {
      action: 'revoke grant',
      target: ({ id }) => String(id),
      run: ({ id }) =>
        endGrant(records, String(id), (grant) => {
          // The rule has the secret of its client, and its CA. It may have changed since the person has granted.
          const issuer = issuers.get(grant.resource);
          const isHolder =
            issuer?.rule.issuer === grant.client.issuer && issuer.rule.clientId === grant.client.clientId;
          return isHolder ? issuer : new IssuerClient(ruleOfGrant(grant), silentLogger);
        }),
    },
  };
}
