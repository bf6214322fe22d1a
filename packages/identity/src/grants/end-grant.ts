import type { ResourceRule } from '../exchange/exchange-rule.js';
import type { IssuerClient } from '../exchange/issuer-client.js';
import { GrantClient } from './grant-client.js';
import type { GrantRecord, GrantRecords, KeptGrant } from './grant-records.js';
import { ISSUER_MS } from '../issuers/connect-to-issuer.js';

/**
 * What has become of a grant. No tool can use it any more in any case.
 * - `revoked`: its issuer has revoked it, too
 * - `not at the issuer`: the issuer has no endpoint for that, or gave no token to revoke
 * - `failed`: the issuer did not take it; the same call may be made again for a week
 */
export interface Revocation {
  readonly outcome: 'revoked' | 'not at the issuer' | 'failed';
  /** What the issuer said. */
  readonly reason?: string;
}

/** What a grant says about its issuer. */
export type GrantPlace = Pick<GrantRecord, 'resource' | 'client'>;

/** A rule for the issuer of a grant, where the server has no rule for it. The client is a public one. */
export const ruleOfGrant = ({ resource, client }: GrantPlace): ResourceRule => ({
  by: 'stored-grant',
  resource,
  ...client,
  scopes: undefined,
  parameters: {},
  timeoutMs: ISSUER_MS,
});

/**
 * Ends a grant, here and then at its issuer.
 *
 * @param issuerOf speaks with the issuer of the grant, as the client that holds it
 * @returns `undefined` when there is no such grant
 */
export async function endGrant(
  records: GrantRecords,
  id: string,
  issuerOf: (grant: GrantPlace) => IssuerClient,
): Promise<Revocation | undefined> {
  const kept = await takeFromTools(records, id);
  if (!kept) return undefined;
  const { record, text } = kept;
  // It is forgotten only if it is still the same: the person may have granted it anew.
  const forget = () => records.write(id, { ...record, status: 'ended', refreshToken: undefined }, text);
  if (record.refreshToken === undefined) {
    await forget();
    return { outcome: 'not at the issuer' };
  }
  try {
    const isRevoked = await new GrantClient(issuerOf(record)).revoke(record.refreshToken);
    await forget();
    return { outcome: isRevoked ? 'revoked' : 'not at the issuer' };
  } catch (error) {
    const { error: code, message } = error as { error?: unknown; message?: string };
    return { outcome: 'failed', reason: typeof code === 'string' ? code : String(message) };
  }
}

/** Takes a grant from all tools. Its refresh token stays, so that the issuer can be asked again. */
async function takeFromTools(
  records: GrantRecords,
  id: string,
): Promise<(KeptGrant & { record: GrantRecord }) | undefined> {
  for (;;) {
    const kept = await records.find(id);
    const { record } = kept ?? {};
    if (!kept || !record || record.status === 'ended') return undefined;
    if (record.status === 'revoked') return { record, text: kept.text };
    await records.write(id, { ...record, status: 'revoked', tokens: {} }, kept.text);
  }
}
