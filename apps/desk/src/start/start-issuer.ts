import { type DevIssuer, startDevIssuer } from '@toolwright/identity/dev';
import type { DeskClient } from '../desk-settings.js';
import { staff } from '../tenants/tenants.js';

/**
 * Starts the issuer of the company and registers the desk there. It is the issuer of development of Toolwright, which is
 * oidc-provider with test users: anybody on this machine may sign in as any of them.
 */
export async function startIssuer(
  origin: string,
  port: number,
): Promise<{ issuer: DevIssuer; client: DeskClient }> {
  const issuer = await startDevIssuer({ users: staff, port });
  const response = await fetch(`${issuer.issuer}/reg`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Support desk',
      redirect_uris: [`${origin}/sign-in/callback`, `${origin}/approvals/callback`],
      grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:token-exchange'],
      token_endpoint_auth_method: 'client_secret_post',
    }),
  });
  const answer = (await response.json()) as { client_id: string; client_secret: string };
  if (!response.ok) throw new Error(`The issuer does not register the desk: ${JSON.stringify(answer)}`);
  return { issuer, client: { id: answer.client_id, secret: answer.client_secret } };
}
