import { oauthResourceServer } from '@toolwright/http';
import type { IssuerPreset } from '../src/index.js';
import { kinds, resource, type Claims } from './support/issuer-tokens.js';
import {
  ADMIN_TOKEN,
  DOCUMENT,
  startLifelike,
  type Habits,
  type LifelikeIssuer,
} from './support/lifelike-issuer.js';
import { quietProvider } from './support/quiet-provider.js';

// Each recipe of docs/issuers.md, against a real authorization server that behaves like the issuer.

quietProvider();

let issuer: LifelikeIssuer | undefined;
afterEach(async () => {
  await issuer?.close();
  issuer = undefined;
});

/** The best way for a client to become known, in the order of the guide. */
type Way = 'document' | 'pre-registered' | 'proxy';

interface Recipe {
  readonly habits: Habits;
  /** What works at this issuer, the best first. */
  readonly ways: readonly Way[];
  /** What a client sends besides, so that the token is for this server. */
  readonly parameters?: Record<string, string>;
}

const people: Record<string, Recipe> = {
  'Entra ID v2': {
    habits: { registration: 'none', documents: false, resource: 'refused' },
    ways: ['pre-registered', 'proxy'],
  },
  'Entra ID v1': {
    habits: { registration: 'none', documents: false, resource: 'refused' },
    ways: ['pre-registered', 'proxy'],
  },
  Auth0: {
    habits: { registration: 'open', documents: false, resource: 'taken', isOpaque: true },
    ways: ['pre-registered', 'proxy'],
    parameters: { resource },
  },
  Keycloak: {
    habits: { registration: 'open', documents: true, resource: 'ignored' },
    ways: ['document', 'pre-registered', 'proxy'],
  },
  Okta: {
    habits: { registration: 'with token', documents: false, resource: 'ignored' },
    ways: ['pre-registered', 'proxy'],
  },
  Cognito: {
    habits: { registration: 'none', documents: false, resource: 'taken' },
    ways: ['pre-registered', 'proxy'],
    parameters: { resource },
  },
};

const programs = ['Google', 'Kubernetes', 'SPIFFE'];

async function begin(name: string, habits: Habits) {
  const { claims, header = {}, preset, otherTokens } = kinds[name]!;
  const { iss: _iss, aud: _aud, sub: _sub, ...idClaims } = (otherTokens[0] ?? {}) as Claims;
  issuer = await startLifelike(String(claims['iss']), habits, { claims, header, idClaims });
  const trusted: IssuerPreset = preset((url, init) => issuer!.fetch(url, init));
  const { authenticate } = oauthResourceServer({ resource, issuers: [trusted] });
  return async (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const outcome = await authenticate(new Request(resource, { headers }));
    if (!('challenge' in outcome)) return outcome.principal!;
    return `${outcome.challenge.status} ${outcome.challenge.reason}`;
  };
}

describe.each(Object.entries(people))('the recipe for %s', (name, { habits, ways, parameters = {} }) => {
  test('takes the token of a person who signs in at a client that is known in the best way', async () => {
    const judge = await begin(name, habits);
    const client = ways[0] === 'document' ? DOCUMENT : 'known-app';
    const grown = (await issuer!.signIn(client, parameters)) as { access_token: string };
    expect(await judge(grown.access_token)).toMatchObject(kinds[name]!.caller);
  });

  test('does not take the ID token of the same sign-in', async () => {
    const judge = await begin(name, habits);
    const grown = (await issuer!.signIn('known-app', parameters)) as { id_token: string };
    expect(grown.id_token.split('.')).toHaveLength(3);
    expect(await judge(grown.id_token)).toMatch(/^401 (audience|type|issuer|claims|subject)$/);
  });

  test('says truly how clients become known', async () => {
    await begin(name, habits);
    const metadata = await issuer!.metadata();
    expect(metadata['client_id_metadata_document_supported'] ?? false).toBe(ways.includes('document'));
    expect('registration_endpoint' in metadata).toBe(habits.registration !== 'none');
    const registered = await issuer!.register();
    expect(registered.clientId !== undefined).toBe(habits.registration === 'open');
    if (habits.registration === 'with token') {
      expect(registered.status).toBe(401);
      expect((await issuer!.register(ADMIN_TOKEN)).clientId).toBeDefined();
    }
    // A client that comes with its document, and is not known otherwise
    const unknown = await issuer!.signIn(DOCUMENT, parameters);
    expect('access_token' in unknown).toBe(ways.includes('document'));
  });
});

test('Entra ID refuses a client that names the resource, as the MCP clients do: hence the proxy', async () => {
  const { habits } = people['Entra ID v2']!;
  await begin('Entra ID v2', habits);
  expect(await issuer!.signIn('known-app', { resource })).toEqual({ error: 'invalid_target' });
});

test('Auth0 without an audience gives opaque tokens, which are refused', async () => {
  const judge = await begin('Auth0', people['Auth0']!.habits);
  const { access_token: token } = (await issuer!.signIn('known-app')) as { access_token: string };
  expect(token).not.toContain('.');
  expect(await judge(token)).toBe('401 malformed');
});

test.each(programs)('the recipe for %s takes the token of a program', async (name) => {
  const judge = await begin(name, { registration: 'none', documents: false, resource: 'ignored' });
  expect(await judge(await issuer!.token())).toMatchObject(kinds[name]!.caller);
});

test('the guide names the ways of each issuer in the order of its recipe', async () => {
  const { readFile } = await import('node:fs/promises');
  const guide = await readFile(`${__dirname}/../../../docs/issuers.md`, 'utf8');
  const rows = guide
    .split('\n')
    .filter((line) => /^\| `\w+` .*(metadata document|pre-registered|proxy)/.test(line));
  const words: Record<Way, string> = {
    document: 'client metadata document',
    'pre-registered': 'pre-registered',
    proxy: 'proxy',
  };
  const named = {
    entraId: 'Entra ID v2',
    auth0: 'Auth0',
    keycloak: 'Keycloak',
    okta: 'Okta',
    cognito: 'Cognito',
    google: 'Google',
  };
  for (const [preset, name] of Object.entries(named)) {
    const row = rows.find((line) => line.startsWith(`| \`${preset}\` `));
    const ways = row?.split('|')[2]!.trim().split(', ');
    expect([preset, ways]).toEqual([preset, (people[name]?.ways ?? ['proxy']).map((way) => words[way])]);
  }
});
