import { randomBytes } from 'node:crypto';
import { type DevIssuer, startDevIssuer } from '@toolwright/identity/dev';
import type { DeskClient } from '../desk-settings.js';
import { staff } from '../tenants/tenants.js';

/**
 * Starts the issuer of the company, which knows the desk. It is the issuer of development of Toolwright, which is
 * oidc-provider with test users: anybody on this machine may sign in as any of them.
 */
export async function startIssuer(
  origin: string,
  port: number,
): Promise<{ issuer: DevIssuer; client: DeskClient }> {
  const client = { id: 'support-desk', secret: randomBytes(24).toString('base64url') };
  const issuer = await startDevIssuer({
    users: staff,
    port,
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        client_name: 'Support desk',
        redirect_uris: [`${origin}/sign-in/callback`, `${origin}/approvals/callback`],
      },
    ],
  });
  return { issuer, client };
}
