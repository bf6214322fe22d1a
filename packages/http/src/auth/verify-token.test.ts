import { ManualClock } from '@toolwright/testing';
import { LocalIssuer } from '../../test/support/local-issuer.js';
import { InvalidTokenError } from './token-kind.js';
import { resolveOAuthOptions } from './oauth-options.js';
import { tokenVerifier, type VerifyToken } from './verify-token.js';

const MINUTE = 60_000;
const resource = 'http://127.0.0.1:1/mcp';

let issuer: LocalIssuer;
let clock: ManualClock;
let verify: VerifyToken;
beforeEach(async () => {
  issuer = await LocalIssuer.start();
  clock = new ManualClock();
  verify = verifier();
});
afterEach(() => issuer.close());

function verifier(rememberedTokens?: number): VerifyToken {
  const issuers = [{ issuer: issuer.issuer, jwksUri: `${issuer.origin}/jwks` }];
  return tokenVerifier(
    resolveOAuthOptions({ resource, issuers, ...(rememberedTokens !== undefined && { rememberedTokens }) }),
    clock,
  );
}

const inSeconds = (seconds: number) => Math.floor(clock.now() / 1_000) + seconds;
const token = (claims: object = {}, header: Record<string, unknown> = {}) =>
  issuer.token({ aud: resource, exp: inSeconds(3_600), ...claims }, header);
/** A remembered token is answered for at once: nothing was verified. */
const isRemembered = (text: string) => !(verify(text) instanceof Promise);

test('the signature of a token is verified once', async () => {
  const text = await token({ scope: 'a b' });
  const first = await verify(text);

  expect(first.principal).toMatchObject({ subject: 'ann', scopes: ['a', 'b'] });
  expect(verify(text)).toBe(first);
});

test('a remembered token is refused as soon as it expires', async () => {
  const text = await token({ exp: inSeconds(60) });
  await verify(text);
  clock.advance(64_000);
  expect(isRemembered(text)).toBe(true);
  clock.advance(1_000);
  await expect(verify(text)).rejects.toMatchObject({ reason: 'expired' });
});

test('a remembered token is refused if the clock went back and it is not yet valid', async () => {
  await verify(await token());
  clock.advance(MINUTE);
  const text = await token({ nbf: inSeconds(0) });
  await verify(text);
  clock.advance(-5_000);
  expect(isRemembered(text)).toBe(true);
  clock.advance(-1_000);
  await expect(verify(text)).rejects.toMatchObject({ reason: 'not-yet-valid' });
});

test('a token of a key that the issuer has withdrawn is refused after five minutes, remembered or not', async () => {
  const text = await token();
  await verify(text);
  await issuer.rotate('second');
  clock.advance(5 * MINUTE - 1);
  expect(isRemembered(text)).toBe(true);
  clock.advance(1);
  await expect(verify(text)).rejects.toMatchObject({ reason: 'unknown-key' });
});

test('a token of a withdrawn key is refused at once if the newer keys are known by then', async () => {
  const old = await token();
  await verify(old);
  await issuer.rotate('second');
  await verify(await token());
  clock.advance(1_000);
  await expect(verify(old)).rejects.toMatchObject({ reason: 'unknown-key' });
});

test('a token is verified again after the keys were fetched, and remembered again', async () => {
  const text = await token();
  await verify(text);
  clock.advance(5 * MINUTE);
  await verify(text);

  expect(isRemembered(text)).toBe(true);
  expect(issuer.fetches).toBe(2);
});

test('a token with one other letter is another token', async () => {
  const text = await token();
  await verify(text);
  for (const part of [0, 1, 2]) {
    const parts = text.split('.');
    const letters = parts[part]!;
    parts[part] = letters.replace(/^./, (letter) => (letter === 'A' ? 'B' : 'A'));
    await expect(verify(parts.join('.'))).rejects.toThrow(InvalidTokenError);
  }
});

test('a refused token is refused again, and takes no place', async () => {
  verify = verifier(1);
  const [good, bad] = [await token(), await token({ aud: 'https://elsewhere.example' })];
  await verify(good);
  for (let time = 0; time < 2; time++)
    await expect(verify(bad)).rejects.toMatchObject({ reason: 'audience' });
  expect(isRemembered(good)).toBe(true);
});

test('the number of remembered tokens is bounded; the oldest goes first', async () => {
  verify = verifier(2);
  const texts = [await token({ sub: 'ann' }), await token({ sub: 'ben' }), await token({ sub: 'eve' })];
  for (const text of texts) await verify(text);

  expect(isRemembered(texts[2]!)).toBe(true);
  expect(isRemembered(texts[1]!)).toBe(true);
  expect(isRemembered(texts[0]!)).toBe(false);
});

test('with rememberedTokens: 0 each request is verified', async () => {
  verify = verifier(0);
  const text = await token();
  await verify(text);
  expect(isRemembered(text)).toBe(false);
});

test('no tool can change what the next call sees of its caller', async () => {
  const text = await token({ scope: 'a', realm_access: { roles: ['reader'] } });
  const { scopes, claims } = (await verify(text)).principal;

  expect(() => (scopes as string[]).push('admin')).toThrow(TypeError);
  expect(() => (claims as any).realm_access.roles.push('admin')).toThrow(TypeError);
  expect(() => Object.assign(claims!, { sub: 'eve' })).toThrow(TypeError);
});

describe('the tenant of a caller', () => {
  type Tenant = NonNullable<Parameters<typeof resolveOAuthOptions>[0]['tenant']>;
  const verifying = (tenant: Tenant) =>
    tokenVerifier(
      resolveOAuthOptions({
        resource,
        issuers: [{ issuer: issuer.issuer, jwksUri: `${issuer.origin}/jwks` }],
        tenant,
      }),
      clock,
    );

  test('is a claim, or what a function makes of the claims', async () => {
    const text = await token({ tid: 'acme', org: { id: 7 } });
    await expect(verifying('tid')(text)).resolves.toMatchObject({
      principal: { subject: 'ann', tenant: 'acme' },
    });
    const byOrganisation: Tenant = ({ org }) => `org-${(org as { id: number }).id}`;
    await expect(verifying(byOrganisation)(text)).resolves.toMatchObject({
      principal: { tenant: 'org-7' },
    });
  });

  test('may be missing only if a function says so', async () => {
    const text = await token();
    await expect(verifying('tid')(text)).rejects.toMatchObject({ reason: 'tenant' });
    expect((await verifying(() => undefined)(text)).principal).not.toHaveProperty('tenant');
    expect((await verify(text)).principal).not.toHaveProperty('tenant');
  });

  test.each([7, '', null, ['acme'], {}])('is never %j', async (tid) => {
    const text = await token({ tid });
    await expect(verifying('tid')(text)).rejects.toMatchObject({ reason: 'tenant' });
    await expect(verifying((claims) => claims['tid'] as string)(text)).rejects.toMatchObject({
      reason: 'tenant',
    });
  });

  test('is refused if the function throws', async () => {
    const failing = verifying(() => {
      throw new Error('canary');
    });
    const error = await (failing(await token()) as Promise<unknown>).catch((error: unknown) => error);
    expect(error).toMatchObject({ reason: 'tenant', message: 'The access token names no tenant.' });
  });
});
