import { principalDigest } from '@toolwright/ground/call/operation/keys';
import { systemClock } from '@toolwright/ground/ports/clock-and-ids';
import { MemoryResultCache, type ResultCache } from '@toolwright/ground/ports/result-cache';
import { settled } from '../../test/support/fake-clock.js';
import { PipelineFixture, textOf } from '../../test/support/pipeline-fixture.js';
import { Cache } from './cache.js';

const secrets = ['s'.repeat(32)];
const options = { annotations: { readOnlyHint: true }, policies: [Cache.entry({ ttl: '30s' })] };

/** The same tool in another process. It counts how often it runs. */
function processOn(
  cache: ResultCache,
  more: { contract?: string; secrets?: string[]; server?: string } = {},
) {
  const fixture = new PipelineFixture(
    {},
    { stores: { cache }, secrets: more.secrets ?? secrets, server: more.server ?? 'pages' },
  );
  const process = { runs: 0, fixture, call: async (args: object = {}, request?: any) => '' };
  const tool = fixture.tool(() => ({ secret: 'canary', run: ++process.runs }), {
    ...options,
    ...(more.contract && { contract: more.contract }),
    outputSchema: { type: 'object' },
  });
  process.call = async (args = {}, request?: any) =>
    textOf(await fixture.call(tool, args as never, request && fixture.request(request)));
  return process;
}

test('A result is found by every process, for the same caller and arguments alone', async () => {
  const cache = new MemoryResultCache(systemClock);
  const [one, two] = [processOn(cache), processOn(cache)];
  const first = await one.call({ a: 1 });
  await settled();
  expect(await two.call({ a: 1 })).toBe(first);
  await two.call({ a: 2 });
  await two.call({ a: 1 }, { principal: { subject: 'bob', scopes: [] } });
  expect([one.runs, two.runs]).toEqual([1, 2]);
});

test('A release with another contract does not use the results of the old one', async () => {
  const cache = new MemoryResultCache(systemClock);
  const [old, fresh] = [processOn(cache), processOn(cache, { contract: 'facade' })];
  await old.call();
  await settled();
  await fresh.call();
  expect(fresh.runs).toBe(1);
});

test('Another server with the same secrets and stores has results of its own', async () => {
  const cache = new MemoryResultCache(systemClock);
  const [pages, files] = [processOn(cache), processOn(cache, { server: 'files' })];
  await pages.call();
  await settled();
  await files.call();
  expect(files.runs).toBe(1);
});

test('The store sees neither arguments nor results, and nobody can make one up', async () => {
  const kept = new Map<string, unknown>();
  const cache = {
    get: (key: string) => kept.get(key),
    set: (key: string, value: unknown) => void kept.set(key, value),
  };
  const request = { principal: { subject: 'ann@example.org', scopes: [] } };
  const one = processOn(cache);
  await one.call({ password: 'hunter2' }, request);
  await settled();
  expect(JSON.stringify([...kept])).not.toMatch(/canary|hunter2|ann@/);
  for (const key of kept.keys()) kept.set(key, { content: [{ type: 'text', text: 'forged' }] });
  expect(await one.call({ password: 'hunter2' }, request)).toContain('canary');
  const stranger = processOn(cache, { secrets: ['x'.repeat(32)] });
  await stranger.call({ password: 'hunter2' }, request);
  expect([one.runs, stranger.runs]).toEqual([2, 1]);
});

test('Nobody can put a result back whose time has passed', async () => {
  const kept = new Map<string, unknown>();
  const cache = {
    get: (key: string) => kept.get(key),
    set: (key: string, value: unknown) => void kept.set(key, value),
  };
  const one = processOn(cache);
  await one.call();
  await one.fixture.clock.advance(29_999);
  await one.call();
  expect(one.runs).toBe(1);
  await one.fixture.clock.advance(1);
  await one.call();
  expect(one.runs).toBe(2);
});

test('An object that only one process can know is the same in no other', async () => {
  const subject = { subject: 'ann', scopes: [], claims: { tenant: new (class Tenant {})() } };
  jest.resetModules();
  const another = await import('@toolwright/ground/call/operation/keys');
  expect(principalDigest(subject)).toBe(principalDigest(subject));
  expect(another.principalDigest(subject)).not.toBe(principalDigest(subject));
});

test.each<[string, ResultCache['get']]>([
  ['fails', () => Promise.reject(new Error('down'))],
  ['hangs', () => new Promise(() => undefined)],
])('While the store %s, tools run', async (_how, get) => {
  const one = processOn({ get, set: () => Promise.reject(new Error('down')) });
  for (const round of [1, 2]) {
    const called = one.call();
    await settled();
    await one.fixture.clock.advance(50);
    expect(await called).toContain(`"run":${round}`);
  }
  const lines = JSON.stringify(one.fixture.logger.lines);
  expect(lines.split('does not answer')).toHaveLength(2);
});
