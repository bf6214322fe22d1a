import { startDevIssuer, type DevIssuer } from '../src/dev.js';
import { startGuardedApp, type GuardedApp } from './support/guarded-app.js';
import { connectAs, type SignedIn, type Version } from './support/oauth-client.js';
import { quietProvider } from './support/quiet-provider.js';

/** The metadata document of a client. It stands in for one on the web. */
const DOCUMENT = 'https://client.example/metadata.json';

let app: GuardedApp | undefined;
let issuer: DevIssuer | undefined;

quietProvider();

afterEach(async () => {
  await app?.close();
  await issuer?.close();
  app = issuer = undefined;
});

interface Setting {
  version: Version;
  /** How the issuer comes to know the client. */
  by: 'DCR' | 'CIMD';
  /** What the server tells clients to ask for first. */
  supported: string[];
  refreshes: boolean;
}

/** A client whose person may read and write, in front of a server that lists what is locked. */
async function signIn({ version, by, supported, refreshes }: Setting): Promise<SignedIn> {
  app = await startGuardedApp({ lockedTools: 'listed' });
  const document = () => {
    const clientDocument = {
      client_id: DOCUMENT,
      client_name: 'An application',
      redirect_uris: ['http://127.0.0.1:9/callback'],
      grant_types: ['authorization_code', ...(refreshes ? ['refresh_token'] : [])],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
    return Promise.resolve(Response.json(clientDocument));
  };
  issuer = await startDevIssuer({ resource: app.endpoint, fetch: document });
  app.trust(issuer.issuer, { scopesSupported: supported });
  return connectAs(version, app.endpoint, 'ann', { refreshes, ...(by === 'CIMD' && { document: DOCUMENT }) });
}

const attempt = (client: SignedIn) =>
  client.call('write_note').then(
    ({ text }) => text,
    (error: Error) => error.message,
  );

const bothWays = [
  ['v1', 'DCR'],
  ['v1', 'CIMD'],
  ['v2', 'DCR'],
  ['v2', 'CIMD'],
] as const;

test.each(bothWays)('%s by %s writes at once if it asked for all scopes at first', async (version, by) => {
  const client = await signIn({ version, by, supported: ['read', 'write'], refreshes: true });
  expect(await client.names()).toEqual(['whoami', 'read_note', 'write_note']);
  expect(await attempt(client)).toBe('write_note by ann');
  expect(client.keeper.visited).toHaveLength(1);
  await client.close();
});

/**
 * What becomes of a client that asked for less, sees a locked tool and calls it. The guide has the same table. A failure
 * is of the client or the issuer: the challenge names what they need.
 */
test.each([
  ['v1', 'DCR', 'with', 'Server returned 403 after trying upscoping'],
  ['v1', 'DCR', 'without', 'invalid_scope'],
  ['v1', 'CIMD', 'with', 'Server returned 403 after trying upscoping'],
  ['v1', 'CIMD', 'without', 'write_note by ann'],
  ['v2', 'DCR', 'with', 'invalid_scope'],
  ['v2', 'DCR', 'without', 'invalid_scope'],
  ['v2', 'CIMD', 'with', 'write_note by ann'],
  ['v2', 'CIMD', 'without', 'write_note by ann'],
] as const)('%s by %s %s refresh tokens: step-up ends with "%s"', async (version, by, refresh, end) => {
  const client = await signIn({ version, by, supported: ['read'], refreshes: refresh === 'with' });
  expect(await client.names()).toEqual(['whoami', 'read_note', 'write_note']);
  expect(await client.call('read_note')).toEqual({ text: 'read_note by ann' });
  expect(await attempt(client)).toContain(end);
  if (end === 'write_note by ann')
    expect(client.keeper.tokens_!.scope!.split(' ')).toEqual(['read', 'write']);
  await client.close();
});
