import { QuotaPool, quotaOwnerOf } from './quota-pool.js';

const limits = { max: 3, maxPerPrincipal: 2, maxAnonymous: 2 };
const principal = (subject: string) => quotaOwnerOf({ principal: { subject, scopes: [] }, ip: '192.0.2.1' });
const address = (ip?: string) => quotaOwnerOf({ principal: undefined, ip });

test('A principal is stopped at its own cap, all of them at the one for all', () => {
  const places = new QuotaPool<number>(limits);
  places.take(principal('ann'), 1);
  places.take(principal('ann'), 2);
  const state = () =>
    ['ann', 'bob'].map((name) => [places.isExhaustedFor(principal(name)), places.isFullFor(principal(name))]);
  expect(state()).toEqual([
    [true, false],
    [false, false],
  ]);
  places.take(principal('bob'), 3);
  expect(state()).toEqual([
    [true, true],
    [false, true],
  ]);
});

test('A place is given up once, however often that is said', () => {
  const places = new QuotaPool<number>(limits);
  const leave = places.take(principal('ann'), 1);
  places.take(principal('ann'), 2);
  leave();
  leave();
  expect([places.size, [...places.of(principal('ann'))]]).toEqual([1, [2]]);
});

test('Anonymous callers fill their share and no other', () => {
  const places = new QuotaPool<number>(limits);
  places.take(address('192.0.2.1'), 1);
  places.take(address(), 2);
  expect([places.isFullFor(address('192.0.2.9')), places.isFullFor(principal('ann'))]).toEqual([true, false]);
  expect(places.isExhaustedFor(address('192.0.2.1'))).toBe(false);
});

test('The address that holds the most is known, with what it took first in front', () => {
  const places = new QuotaPool<number>(limits);
  places.take(address('192.0.2.1'), 1);
  const leave = [2, 3, 4].map((item) => places.take(address('192.0.2.2'), item));
  places.renew(address('192.0.2.2'), 2);
  expect([...places.ofLargestAddress()]).toEqual([3, 4, 2]);
  for (const each of leave) each();
  expect([...places.ofLargestAddress()]).toEqual([1]);
});

test.each([
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff::2', true],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
  ['::ffff:192.0.2.1', '192.0.2.1', true],
  ['192.0.2.1', '192.0.2.2', false],
])('%s and %s are one holder: %s', (one, other, same) => {
  expect(address(one).key === address(other).key).toBe(same);
});

test('The principals of one tenant share its limit, and every place that is given back is free again', () => {
  const places = new QuotaPool<number>({ ...limits, max: 10, maxPerTenant: 2 });
  const of = (tenant: string, subject: string) =>
    quotaOwnerOf({ principal: { subject, tenant, scopes: [] }, ip: '192.0.2.1' });
  const leave = places.take(of('acme', 'ann'), 1);
  places.take(of('acme', 'bob'), 2);
  places.take(of('globex', 'ann'), 3);
  const isFull = (tenant: string) => places.isExhaustedFor(of(tenant, 'eve'));
  expect([isFull('acme'), isFull('globex'), isFull('initech')]).toEqual([true, false, false]);
  places.renew(of('acme', 'ann'), 1);
  expect([...places.atLimitOf(of('acme', 'eve'))]).toEqual([2, 1]);
  leave();
  leave();
  expect(isFull('acme')).toBe(false);
  // A principal without a tenant counts as one.
  places.take(principal('ann'), 4);
  expect(places.isExhaustedFor(principal('ann'))).toBe(false);
  places.take(principal('ann'), 5);
  expect([places.isExhaustedFor(principal('ann')), places.isExhaustedFor(principal('bob'))]).toEqual([
    true,
    false,
  ]);
});
