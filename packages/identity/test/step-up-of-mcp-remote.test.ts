import { startDevIssuer, type DevIssuer } from '../src/dev.js';
import { startGuardedApp, type GuardedApp } from './support/guarded-app.js';
import { freeCallback, type McpRemote, startMcpRemote } from './support/mcp-remote.js';
import { quietProvider } from './support/quiet-provider.js';

/** The metadata document of the client. It stands in for one on the web. */
const DOCUMENT = 'https://client.example/metadata.json';

let app: GuardedApp | undefined;
let issuer: DevIssuer | undefined;
let remote: McpRemote | undefined;

quietProvider();

afterEach(async () => {
  await remote?.close();
  await app?.close();
  await issuer?.close();
  app = issuer = remote = undefined;
});

async function signIn(by: 'DCR' | 'CIMD', supported: string[], refreshes = true): Promise<McpRemote> {
  app = await startGuardedApp({ lockedTools: 'listed' });
  const { port, redirectUri } = await freeCallback();
  const document = () => {
    const clientDocument = {
      client_id: DOCUMENT,
      client_name: 'mcp-remote',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', ...(refreshes ? ['refresh_token'] : [])],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
    return Promise.resolve(Response.json(clientDocument));
  };
  issuer = await startDevIssuer({ resource: app.endpoint, fetch: document });
  app.trust(issuer.issuer, { scopesSupported: supported });
  const wish = { user: 'ann', port, ...(by === 'CIMD' && { document: DOCUMENT }) };
  return (remote = await startMcpRemote(app.endpoint, wish));
}

test.each(['DCR', 'CIMD'] as const)(
  'by %s it writes at once if it asked for all scopes at first',
  async (by) => {
    const client = await signIn(by, ['read', 'write']);
    expect(await client.names()).toEqual(['whoami', 'read_note', 'write_note']);
    expect(await client.call('write_note')).toBe('write_note by ann');
    expect(client.visited).toHaveLength(1);
    expect(client.visited[0]!.searchParams.get('client_id') === DOCUMENT).toBe(by === 'CIMD');
  },
);

/** The guide has the same table. */
test.each([
  ['DCR', 'with', 'invalid_scope'],
  ['CIMD', 'with', 'write_note by ann'],
  ['CIMD', 'without', 'write_note by ann'],
] as const)('by %s %s refresh tokens: step-up ends with "%s"', async (by, refresh, end) => {
  const client = await signIn(by, ['read'], refresh === 'with');
  expect(await client.names()).toEqual(['whoami', 'read_note', 'write_note']);
  expect(await client.call('read_note')).toBe('read_note by ann');
  const text = await client.call('write_note');
  expect(text).toContain(end);
  const [first, second] = client.visited.map(({ searchParams }) => searchParams.get('scope')!.split(' '));
  expect(first).not.toContain('write');
  expect(second).toEqual(expect.arrayContaining(['read', 'write']));
});
