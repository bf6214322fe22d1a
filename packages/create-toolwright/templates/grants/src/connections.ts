import type { OAuthResourceServerOptions } from '@toolwright/http';

/**
 * The API that tools call for their users. Without `API_URL` it is the one in `account-api.ts`, which exists while
 * `npm run dev` has an issuer on this machine.
 */
export function apiUrl({ API_URL, MCP_ISSUER, MCP_RESOURCE }: NodeJS.ProcessEnv): string | undefined {
  if (API_URL) return API_URL;
  return MCP_RESOURCE && isLocal(MCP_ISSUER) ? new URL('/account', MCP_RESOURCE).href : undefined;
}

/**
 * How tools get tokens for that API, and the page on which users let this server in.
 *
 * @param resource the URL of the endpoint
 * @param issuer the issuer that signs callers in
 */
export async function openConnections(
  resource: string,
  issuer: string,
): Promise<Pick<OAuthResourceServerOptions, 'exchange' | 'grants'>> {
  const { env } = process;
  const api = apiUrl(env);
  if (!api) return {};
  const url = new URL('/connections', resource).href;
  const issuerOfApi = env['API_URL'] ? required('API_ISSUER') : issuer;
  return {
    exchange: {
      [api]: {
        by: 'stored-grant',
        issuer: issuerOfApi,
        ...(await clientAt(issuerOfApi, 'API', `${url}/granted`)),
        ...(env['API_SCOPES'] && { scopes: env['API_SCOPES'].split(/\s+/) }),
      },
    },
    grants: { url, issuer, ...(await clientAt(issuer, 'PAGES', `${url}/callback`)) },
  };
}

interface Client {
  clientId: string;
  clientSecret: string;
}

/** This server as a client of an issuer. The issuer of `npm run dev` knows it only from its registration. */
async function clientAt(issuer: string, name: 'API' | 'PAGES', redirect: string): Promise<Client> {
  if (isLocal(issuer) && !process.env[`${name}_CLIENT_ID`]) return register(issuer, redirect);
  return { clientId: required(`${name}_CLIENT_ID`), clientSecret: required(`${name}_CLIENT_SECRET`) };
}

async function register(issuer: string, redirect: string): Promise<Client> {
  const response = await fetch(`${issuer}/reg`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'my-server',
      redirect_uris: [redirect],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'client_secret_post',
    }),
  });
  if (!response.ok) throw new Error(`${issuer} registers no clients: it answers with ${response.status}.`);
  const { client_id, client_secret } = (await response.json()) as Record<string, string>;
  return { clientId: client_id!, clientSecret: client_secret! };
}

function required(name: string): string {
  const value = process.env[name];
  if (value) return value;
  console.error(`Set ${name}. README.md says what it is.`);
  process.exit(1);
}

/** Issuers of other machines have https. */
const isLocal = (issuer = '') => issuer.startsWith('http:');
