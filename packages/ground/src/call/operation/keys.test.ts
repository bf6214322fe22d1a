import type { Principal } from '../../base/request-context.js';
import {
  callerKey,
  claimOwnerOf,
  ownerOfCallerKey,
  ownerOfPrincipalKey,
  principalKey,
  principalDigest,
} from './keys.js';

const of = (principal: Partial<Principal>) => ({ subject: '', scopes: [], ...principal });
const limitKey = (principal: Principal) => callerKey({ principal, ip: '192.0.2.1' }, true);
const claimKey = (principal: Principal) => claimOwnerOf({ principal, ip: undefined }).key;
const keys = { limitKey, claimKey, principalKey, principalDigest };

/** Texts that would meet if a key joined its parts, or if a part could look like two. */
const texts = [
  '',
  'a',
  'b',
  'a:b',
  'b:a',
  'tenant',
  'client',
  '["tenant","a"]',
  'a","b',
  '\u0000',
  'undefined',
  'null',
];

test.each(Object.entries(keys))('no two callers have the same %s', (_, keyOf) => {
  const owners = new Map<string, string>();
  for (const tenant of [undefined, ...texts.slice(1)])
    for (const issuer of texts)
      for (const [subject, clientId] of [
        ...texts.map((text) => [text, 'c']),
        ...texts.map((text) => ['', text]),
      ]) {
        const principal = of({
          issuer,
          subject: subject!,
          clientId: clientId!,
          ...(tenant !== undefined && { tenant }),
        });
        // Limits count a subject, whatever its client is. Without a subject, the client is who calls.
        const who = JSON.stringify(
          keyOf === limitKey || keyOf === claimKey
            ? [tenant ?? 0, issuer, subject ? [subject] : { clientId }]
            : [tenant ?? 0, issuer, subject, clientId],
        );
        const key = keyOf(principal);
        expect(owners.get(key) ?? who).toBe(who);
        owners.set(key, who);
      }
  expect(owners.size).toBeGreaterThan(1_000);
});

test('the keys of callers without a tenant keep the form in which stores have them', () => {
  const ann = of({ issuer: 'https://i.example', subject: 'ann', clientId: 'c' });
  expect(limitKey(ann)).toBe('["https://i.example","ann"]');
  expect(limitKey(of({ issuer: 'https://i.example', clientId: 'c' }))).toBe(
    '["client","https://i.example","c"]',
  );
  expect(principalKey(ann)).toBe('["https://i.example","ann","c"]');
  expect(principalKey(undefined)).toBe('');
});

test.each([
  of({ issuer: 'i', subject: 'ann', tenant: 'acme' }),
  of({ issuer: 'i', clientId: 'batch', tenant: 'acme' }),
  of({ issuer: 'i', subject: 'ann' }),
  of({ clientId: 'batch' }),
])('an operator reads in a key who the caller is: %j', ({ scopes: _, ...principal }) => {
  const owner = Object.fromEntries(Object.entries(principal).filter(([, text]) => text));
  expect(ownerOfCallerKey(limitKey(of(principal)))).toEqual(owner);
  expect(ownerOfPrincipalKey(principalKey(of(principal)))).toEqual(owner);
});

test('what is no key names nobody', () => {
  for (const key of ['', 'schedules', '{}', '[', '7']) expect(ownerOfPrincipalKey(key)).toEqual({});
});
