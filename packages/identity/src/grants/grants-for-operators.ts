import type { OperatorMethod } from '@toolwright/core/extend';
import { silentLogger } from '@toolwright/core/ports';
import { IssuerClient } from '../exchange/issuer-client.js';
import { endGrant, ruleOfGrant } from './end-grant.js';
import type { GrantRecords } from './grant-records.js';
import { userGrant } from './user-grants.js';

/** What operators of a server see of the grants, and how they end one. The audit log has each revocation. */
export function grantsForOperators(
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
