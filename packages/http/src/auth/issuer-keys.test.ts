import { AsyncLocalStorage } from 'node:async_hooks';
import * as jose from 'jose';
import { html, LocalIssuer, status } from '../../test/support/local-issuer.js';
import { ManualClock } from '@toolwright/testing';
import { IssuerKeys, IssuerUnreachableError } from './issuer-keys.js';

const MINUTE = 60_000;

let issuer: LocalIssuer;
let clock: ManualClock;
let keys: IssuerKeys;
beforeEach(async () => {
  issuer = await LocalIssuer.start();
  clock = new ManualClock();
  const trusted = { issuer: issuer.issuer, jwksUri: `${issuer.origin}/jwks` };
  keys = new IssuerKeys(trusted, { clock, maxAgeMs: 60 * MINUTE });
});
afterEach(() => issuer.close());

const verify = (token: string) =>
  keys.use(
    (getKey) => jose.jwtVerify(token, getKey),
    (error) => error instanceof jose.errors.JWKSNoMatchingKey,
  );
const forged = (kid: string) => issuer.token({}, { kid });
const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
};

test('fresh keys are fetched once', async () => {
  const token = await issuer.token();
  for (let call = 0; call < 5; call++) await verify(token);
  clock.advance(4 * MINUTE);
  await verify(token);
  expect(issuer.fetches).toBe(1);
});

test('a new key is accepted with the first token that it signed', async () => {
  await verify(await issuer.token());
  await issuer.rotate('second');
  const tokens = await Promise.all(Array.from({ length: 20 }, () => issuer.token()));
  await Promise.all(tokens.map(verify));
  expect(issuer.fetches).toBe(2);
});

test('a withdrawn key works for five minutes at most', async () => {
  const old = await issuer.token();
  await verify(old);
  await issuer.rotate('second');
  clock.advance(5 * MINUTE);
  await expect(verify(old)).rejects.toThrow(jose.errors.JWKSNoMatchingKey);
});

test.each([
  ['an error', status(500)],
  ['a login page', html],
])('while the issuer answers with %s, its last keys work until they are too old', async (_what, outage) => {
  const token = await issuer.token();
  await verify(token);
  issuer.outage = outage;
  for (let minute = 5; minute < 60; minute += 5) {
    clock.advance(5 * MINUTE);
    await verify(token);
  }
  clock.advance(5 * MINUTE);
  await expect(verify(token)).rejects.toThrow(IssuerUnreachableError);
  issuer.outage = undefined;
  clock.advance(1_000);
  await verify(token);
});

test('an issuer that hangs delays only the first request', async () => {
  const token = await issuer.token();
  await verify(token);
  issuer.outage = status(500);
  clock.advance(5 * MINUTE);
  await verify(token);
  issuer.outage = () => undefined;
  clock.advance(1_000);
  await verify(token);
  await verify(token);
  expect(issuer.fetches).toBeGreaterThan(1);
});

test('for many forged key ids, the issuer gets five requests, then one per second', async () => {
  await verify(await issuer.token());
  for (let flood = 0; flood < 4; flood++) {
    await expect(verify(await forged(`forged ${flood}`))).rejects.toThrow(jose.errors.JWKSNoMatchingKey);
  }
  expect(issuer.fetches).toBe(5);
  const refused = Promise.allSettled(
    (await Promise.all(Array.from({ length: 200 }, (_, index) => forged(`more ${index}`)))).map(verify),
  );
  await turns(50);
  expect(issuer.fetches).toBe(5);
  await issuer.rotate('second');
  const real = verify(await issuer.token());
  await turns(50);
  clock.advance(1_000);
  expect((await real).payload.sub).toBe('ann');
  expect((await refused).every(({ status }) => status === 'rejected')).toBe(true);
  expect(issuer.fetches).toBe(6);
});

test('a flood of forged key ids does not make callers with known keys wait, also when the keys get old', async () => {
  const token = await issuer.token();
  await verify(token);
  const flood = async (round: number) => {
    const tokens = Array.from({ length: 20 }, (_, index) => forged(`flood ${round} ${index}`));
    return Promise.allSettled((await Promise.all(tokens)).map(verify));
  };
  for (let round = 0; round < 4; round++) await flood(round);
  const waiting = flood(4);
  // The clock stands still, so whoever waits for the next turn of the issuer waits for ever.
  for (let call = 0; call < 5; call++) await verify(token);
  // What refreshes the keys meanwhile are the forged tokens.
  clock.advance(5 * MINUTE);
  await waiting;
  const fetches = issuer.fetches;
  await verify(token);
  expect(issuer.fetches).toBe(fetches);
});

test('a response that is no set of keys changes nothing', async () => {
  const token = await issuer.token();
  await verify(token);
  issuer.outage = (res) => res.end('{"keys":"none"}');
  await expect(verify(await forged('other'))).rejects.toThrow(IssuerUnreachableError);
  await verify(token);
});

test('keys are fetched in the context in which they were set up, and not in that of a caller', async () => {
  const caller = new AsyncLocalStorage<string>();
  const trusted = { issuer: issuer.issuer, jwksUri: `${issuer.origin}/jwks` };
  const ofBoot = caller.run('boot', () => new IssuerKeys(trusted, { clock, maxAgeMs: 60 * MINUTE }));
  const { fetch } = globalThis;
  const seen: unknown[] = [];
  const spy = jest.spyOn(globalThis, 'fetch').mockImplementation((...given) => {
    seen.push(caller.getStore());
    return fetch(...given);
  });
  const token = await issuer.token();
  const use = () =>
    ofBoot.use(
      (getKey) => jose.jwtVerify(token, getKey),
      () => false,
    );
  await caller.run('ada', use);
  clock.advance(10 * MINUTE);
  await caller.run('bob', use);
  spy.mockRestore();
  expect(seen).toEqual(['boot', 'boot']);
});
