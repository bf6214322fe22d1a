import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { oauthResourceServer } from '@toolwright/http';
import { type DevIssuer, readTestUsers, startDevIssuer } from '@toolwright/identity/dev';
import { openRemote } from '../../cli/src/remote/open-remote.js';
import { programs, ProjectFolder } from '../../cli/test/support/project-folder.js';
import { freePort } from '../../../.ci/test/support/free-port.js';
import { Browser } from '../../identity/test/support/browser.js';
import { grantOnPage } from '../../identity/test/support/grant-desk.js';
import { createApp } from '../src/index.js';
import { startApp } from './support/started-app.js';

const installed = {
  '@toolwright/core': 'packages/core',
  '@toolwright/http': 'packages/http',
  '@toolwright/identity': 'packages/identity',
  '@toolwright/postgres': 'packages/postgres',
  '@toolwright/stdio': 'packages/stdio',
  '@toolwright/testing': 'packages/testing',
  '@electric-sql/pglite': 'apps/pages/node_modules/@electric-sql/pglite',
  'class-validator': 'packages/cli/node_modules/class-validator',
  'class-transformer': 'packages/cli/node_modules/class-transformer',
  '@types/node': 'node_modules/@types/node',
};

let room: ProjectFolder;
/** Where Ann, Ben and Cleo sign in. */
let people: DevIssuer;

beforeAll(async () => {
  room = new ProjectFolder();
  room.install(installed);
  createApp({ directory: room.path('app'), words: { transport: 'both', signIn: 'grants' } });
  expect(room.nodeIn('app', programs.tsc)).toMatchObject({ status: 0, stdout: '' });
  expect(room.nodeIn('app', programs.toolwright, 'build')).toMatchObject({ status: 0, stderr: '' });
  people = await startDevIssuer({ users: readTestUsers(room.path('app/test-users.json')) });
});

afterAll(async () => {
  await people.close();
  room.remove();
});

test('its own test passes', () => {
  expect(room.nodeIn('app', '--test', 'dist/note-tools.test.js')).toMatchObject({ status: 0 });
});

test('with the issuer of dev, and without a setting, a user grants access once, and the tool gets the account of this user', async () => {
  const app = await start({});
  try {
    expect(await showAccount(app, { as: 'ann', account: 'ben' })).toEqual({
      said: ['{"account":"ben"}', '{"account":"ben"}'],
      opened: [expect.stringContaining(`${app.origin}/connections/`)],
    });
  } finally {
    expect(await app.stop()).toEqual([0, null]);
  }
});

test('with an API of somebody else, the grant is still there after a restart', async () => {
  const api = createServer((req, res) => {
    void Promise.resolve(ofApi.authenticate(req)).then((checked) => {
      res.end('principal' in checked ? `${checked.principal!.subject} ${checked.principal!.scopes}` : '');
    });
  }).listen(0, '127.0.0.1');
  await once(api, 'listening');
  const API_URL = originOf(api.address());
  const users = [{ subject: 'ann-there', name: 'Ann', scopes: ['account:read'] }];
  const there = await startDevIssuer({ users, resource: API_URL });
  const ofApi = oauthResourceServer({ resource: API_URL, issuers: [there.issuer] });
  const origin = await freeOrigin();
  const [page, client] = [
    await register(people, `${origin}/connections/callback`),
    await register(there, `${origin}/connections/granted`),
  ];
  const settings = {
    API_URL,
    API_ISSUER: there.issuer,
    API_SCOPES: 'account:read',
    API_CLIENT_ID: client.client_id!,
    API_CLIENT_SECRET: client.client_secret!,
    PAGES_CLIENT_ID: page.client_id!,
    PAGES_CLIENT_SECRET: page.client_secret!,
  };
  try {
    for (const opened of [[expect.any(String)], []]) {
      const app = await start(settings, origin);
      const shown = await showAccount(app, { as: 'ann', account: 'ann-there' });
      expect(shown).toEqual({ said: ['ann-there account:read', 'ann-there account:read'], opened });
      expect(await app.stop()).toEqual([0, null]);
    }
  } finally {
    api.close();
    await there.close();
  }
});

interface App {
  readonly url: string;
  readonly origin: string;
  stop(): Promise<unknown[]>;
}

/** Starts the app as `npm run dev` and `npm start` do. */
async function start(settings: Record<string, string>, origin?: string): Promise<App> {
  const at = origin ?? (await freeOrigin());
  const { url, stop } = startApp(room.path('app'), {
    DATA: room.path('app/.data'),
    PORT: new URL(at).port,
    MCP_RESOURCE: `${at}/mcp`,
    MCP_ISSUER: people.issuer,
    ...settings,
  });
  return { url: await url, origin: at, stop };
}

/** Calls the tool twice. Whoever the page asks signs in at the issuer of the API as `account`. */
async function showAccount({ url }: App, { as, account }: { as: string; account: string }) {
  const opened: string[] = [];
  const elicit = async ({ url: address = '' }: { url?: string }) => {
    opened.push(address);
    const { html } = await grantOnPage(new Browser(), { url: address, subject: as, account });
    expect(html).toContain('Connected');
    return { action: 'accept' as const };
  };
  const headers = { authorization: `Bearer ${await people.token(as, { resource: url })}` };
  const terminal = { cwd: room.folder, env: {}, err: () => undefined };
  const target = { url: new URL(url) } as Parameters<typeof openRemote>[0];
  const { client, close } = await openRemote(target, { http: { headers }, client: { elicit } }, terminal);
  const said: string[] = [];
  for (let call = 0; call < 2; call += 1) {
    const { content } = await client.call('show_account', {});
    said.push((content[0] as { text: string }).text);
  }
  await close();
  return { said, opened };
}

async function register({ issuer }: DevIssuer, redirect: string): Promise<Record<string, string>> {
  const response = await fetch(`${issuer}/reg`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      redirect_uris: [redirect],
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: ['authorization_code', 'refresh_token'],
    }),
  });
  return (await response.json()) as Record<string, string>;
}

/** Tokens name the endpoint, so its port is known before the app listens. */
const freeOrigin = async () => `http://127.0.0.1:${await freePort()}`;

const originOf = (address: AddressInfo | string | null) =>
  `http://127.0.0.1:${(address as AddressInfo).port}`;
