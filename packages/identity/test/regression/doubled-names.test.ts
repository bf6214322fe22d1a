import { createHmac, hash, randomUUID, sign } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';
import { LocalIssuer } from '../../../http/test/support/local-issuer.js';
import { trustedProxy } from '../../src/index.js';
import { type BoundServer, startBoundServer } from '../support/bound-server.js';
import { openCompany } from '../support/company-issuer.js';
import { ProxyAtWork, register } from '../support/open-proxy.js';
import { RESOURCE } from '../support/proof-of-key.js';

// A program in front that takes the first of two members reads another token than one that takes the last.

type Signer = (input: string) => Buffer;
type Members = Record<string, unknown>;

/** Something that is signed, with which somebody is let in. */
interface Signed {
  readonly header: Members;
  payload(): Members | Promise<Members>;
  sign: Signer;
  isAccepted(token: string): Promise<boolean>;
}

const seconds = () => Math.floor(Date.now() / 1_000);
const part = (text: string) => Buffer.from(text).toString('base64url');

/** What a test writes before the members. */
interface Before {
  header?: string;
  payload?: string;
}

async function tokenOf({ header, payload, sign: by }: Signed, before: Before = {}): Promise<string> {
  const text = (members: Members, first = '') => part(JSON.stringify(members).replace('{', `{${first}`));
  const input = `${text(header, before.header)}.${text(await payload(), before.payload)}`;
  return `${input}.${by(input).toString('base64url')}`;
}

const CLIENT = { client_id: 'the office', client_secret: 'a secret of the office' };
const SECRET = 'a secret that only the proxy has, and we';
const MCP = 'http://127.0.0.1:3000/mcp';

const subjects: Record<string, Signed> = {};
const closed: (() => unknown)[] = [];

beforeAll(async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), alg: 'ES256', use: 'sig', kid: 'one' };
  const byKey: Signer = (input) =>
    sign('sha256', Buffer.from(input), { key: privateKey as never, dsaEncoding: 'ieee-p1363' });
  subjects['a DPoP proof'] = await dpopProof(jwk, byKey);
  subjects['the word of a proxy'] = wordOfProxy();
  const company = await openCompany(jwk);
  closed.push(() => company.close());
  const proxy = await ProxyAtWork.start(MCP, { clients: [CLIENT], identityAssertions: [company.issuer] });
  closed.push(() => proxy.close());
  subjects['an identity assertion'] = identityAssertion(company.issuer, proxy.issuer, byKey);
  subjects['an assertion of a client'] = await clientAssertion(jwk, proxy.issuer, byKey);
});
afterAll(async () => {
  for (const close of closed) await close();
});

async function dpopProof(jwk: JWK, byKey: Signer): Promise<Signed> {
  const issuer = await LocalIssuer.start();
  const server: BoundServer = await startBoundServer(issuer, { dpop: 'required' });
  closed.push(
    () => server.close(),
    () => issuer.close(),
  );
  const token = await issuer.token({ aud: RESOURCE, cnf: { jkt: await calculateJwkThumbprint(jwk) } });
  return {
    header: { typ: 'dpop+jwt', alg: 'ES256', jwk },
    payload: () => ({
      jti: randomUUID(),
      htm: 'POST',
      htu: RESOURCE,
      iat: seconds(),
      ath: hash('sha256', token, 'base64url'),
    }),
    sign: byKey,
    isAccepted: async (proof) =>
      (await server.ask({ authorization: `DPoP ${token}`, dpop: proof })).status === 200,
  };
}

function wordOfProxy(): Signed {
  const authenticate = trustedProxy({ from: ['127.0.0.1'], secrets: [SECRET], audience: MCP });
  return {
    header: { alg: 'HS256' },
    payload: () => ({ sub: 'ann', aud: MCP, iat: seconds(), exp: seconds() + 60 }),
    sign: (input) => createHmac('sha256', SECRET).update(input).digest(),
    isAccepted: async (token) => {
      const req = {
        headers: { 'x-identity': token },
        headersDistinct: { 'x-identity': [token] },
        rawHeaders: ['x-identity', token],
        socket: { remoteAddress: '127.0.0.1' },
      };
      return 'principal' in (await authenticate(req as unknown as IncomingMessage));
    },
  };
}

async function askForToken(issuer: string, headers: Record<string, string>, fields: Record<string, string>) {
  const body = new URLSearchParams(fields);
  const response = await fetch(`${issuer}/oauth/token`, { method: 'POST', headers, body });
  return (await response.json()) as Record<string, string>;
}

function identityAssertion(company: string, issuer: string, byKey: Signer): Signed {
  const { client_id, client_secret } = CLIENT;
  const credentials = `${encodeURIComponent(client_id)}:${encodeURIComponent(client_secret)}`;
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
  return {
    header: { typ: 'oauth-id-jag+jwt', alg: 'ES256', kid: 'one' },
    payload: () => ({
      iss: company,
      sub: 'ann@company.example',
      aud: issuer,
      client_id,
      resource: MCP,
      jti: randomUUID(),
      iat: seconds(),
      exp: seconds() + 60,
    }),
    sign: byKey,
    isAccepted: async (assertion) => {
      const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
      const answer = await askForToken(issuer, { authorization }, { grant_type, assertion });
      return answer['access_token'] !== undefined;
    },
  };
}

async function clientAssertion(jwk: JWK, issuer: string, byKey: Signer): Promise<Signed> {
  const client_id = await register(issuer, 'http://127.0.0.1:9/callback', '/oauth/register', {
    token_endpoint_auth_method: 'private_key_jwt',
    grant_types: ['authorization_code', 'refresh_token'],
    jwks: { keys: [jwk] },
  });
  return {
    header: { alg: 'ES256', kid: 'one' },
    payload: () => ({
      iss: client_id,
      sub: client_id,
      aud: issuer,
      jti: randomUUID(),
      iat: seconds(),
      exp: seconds() + 60,
    }),
    sign: byKey,
    isAccepted: async (client_assertion) => {
      // The client is known, or it is not. Of what it asks for there is nothing.
      const answer = await askForToken(
        issuer,
        {},
        {
          grant_type: 'refresh_token',
          refresh_token: 'none',
          client_id,
          client_assertion,
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        },
      );
      expect(answer['error']).toMatch(/^invalid_(?:grant|client)$/);
      return answer['error'] === 'invalid_grant';
    },
  };
}

const cases: readonly [string, Before][] = [
  ['a claim twice', { payload: '"jti":"another","sub":"somebody else","jti":"a third",' }],
  ['an escaped claim twice', { payload: '"\\u0069at":1,' }],
  ['a member of a claim twice', { payload: '"x":[{"y":"a","y":"b"}],' }],
  ['a prototype twice', { payload: '"__proto__":1,"__proto__":2,' }],
  ['a member of its header twice', { header: '"alg":"none",' }],
];
const names = ['a DPoP proof', 'the word of a proxy', 'an identity assertion', 'an assertion of a client'];
const all = names.flatMap((name) => cases.map((each) => [name, ...each] as const));

test.each(names)('%s lets somebody in', async (name) => {
  const subject = subjects[name]!;
  expect(await subject.isAccepted(await tokenOf(subject))).toBe(true);
});

test.each(all)('%s that has %s does not', async (name, _what, before) => {
  const subject = subjects[name]!;
  expect(await subject.isAccepted(await tokenOf(subject, before))).toBe(false);
});

test.each(names)('%s that is padded does not', async (name) => {
  const subject = subjects[name]!;
  const padding = subject.header['alg'] === 'HS256' ? '=' : '==';
  expect(await subject.isAccepted((await tokenOf(subject)) + padding)).toBe(false);
});

test.each(names)(
  '%s whose payload begins with a byte order mark does not, and nothing is thrown',
  async (name) => {
    const subject = subjects[name]!;
    for (const places of [[0], [1], [0, 1]]) {
      const parts = (await tokenOf(subject)).split('.').slice(0, 2);
      const marked = parts.map((each, at) =>
        places.includes(at) ? part(`\ufeff${Buffer.from(each, 'base64url').toString()}`) : each,
      );
      const input = marked.join('.');
      expect(await subject.isAccepted(`${input}.${subject.sign(input).toString('base64url')}`)).toBe(false);
    }
  },
);

test('an assertion of a client that never ends does not', async () => {
  const subject = subjects['an assertion of a client']!;
  const endless: Signed = { ...subject, payload: async () => ({ ...(await subject.payload()), exp: 'END' }) };
  const [header, payload] = (await tokenOf(endless)).split('.');
  const text = Buffer.from(payload!, 'base64url').toString().replace('"END"', '1e400');
  const input = `${header}.${part(text)}`;
  expect(await subject.isAccepted(`${input}.${subject.sign(input).toString('base64url')}`)).toBe(false);
});

test.each(['sub', 'jti'])('an identity assertion whose %s is no text does not', async (claim) => {
  const subject = subjects['an identity assertion']!;
  for (const value of ['', 5, [], {}]) {
    const odd: Signed = {
      ...subject,
      payload: async () => ({ ...(await subject.payload()), [claim]: value }),
    };
    expect(await subject.isAccepted(await tokenOf(odd))).toBe(false);
  }
});
