import { generateKeyPairSync, hkdfSync, randomUUID } from 'node:crypto';
import type { JWK } from 'oidc-provider';
import type { ProviderRecords } from './provider-records.js';

/**
 * The key that signs tokens. The first replica makes it and keeps it in the records, sealed, so that each replica has the
 * same one, also after a restart.
 */
export async function loadSigningKeys(records: ProviderRecords): Promise<JWK[]> {
  const kept = await records.ensure('SigningKeys', 'current', () => ({ keys: [newKey()] }));
  return (kept as { keys: JWK[] }).keys;
}

/** Resource servers of all kinds know RS256. */
function newKey(): JWK {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: randomUUID() } as JWK;
}

/** The keys that sign the cookies of oidc-provider: one for each secret. */
export const cookieKeys = (secrets: readonly string[]): string[] =>
  secrets.map((secret) =>
    Buffer.from(hkdfSync('sha256', secret, '', 'toolwright authorization proxy cookies', 32)).toString('hex'),
  );
