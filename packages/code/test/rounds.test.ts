import { RequireScopes } from '@toolwright/core';
import { MemoryRecordStore } from '@toolwright/core/ports';
import { closedAfterEach } from '../../../.ci/test/support/closed-after-each.js';
import { FakeClock } from '../../core/test/support/fake-clock.js';
import { Journal } from '../src/program/journal.js';
import { Shop, textOf } from './support/shop.js';

const shops = closedAfterEach<Shop>();
const start = (...args: Parameters<Shop['start']>) => {
  const shop = new Shop();
  shops.push(shop);
  return shop.start(...args);
};

const CODE = `const a = await tools.look({ what: 'a' }); await tools.refund({ id: 'A' }); return a`;

test('a later round takes the same way: chance, time, sleeps and the order of what ends', async () => {
  const shop = await start();
  // What the program sees becomes an argument. A round that saw something else would be refused.
  const code = `
    const seen = [new Date(0).toString(), new Date().getTimezoneOffset()];
    const see = (what) => seen.push([what, Date.now(), Math.random()]);
    see(typeof performance);
    await Promise.all([
      sleep(3).then(() => see('slept 3')),
      tools.look({ what: '1' }).then(see),
      sleep(1).then(() => see('slept 1')),
      tools.nothing({}).catch((error) => see(error.message)),
      tools.look({ what: '2' }).then(see),
    ]);
    await tools.note({ what: JSON.stringify(seen) });
    await tools.refund({ id: 'A' });
    await tools.note({ what: JSON.stringify(seen) });
    await tools.refund({ id: 'B' });
    return seen`;
  const second = await shop.round(code, await shop.round(code));
  const { structuredContent } = await shop.round(code, second);
  expect(structuredContent.result.slice(0, 2)).toEqual(['Thu Jan 01 1970 00:00:00 GMT+0000', 0]);
  const notes = shop.done.filter((each) => each.startsWith('note'));
  expect(notes).toEqual([
    `note ${JSON.stringify(structuredContent.result)}`,
    `note ${JSON.stringify(structuredContent.result)}`,
  ]);
  expect(shop.done.filter((each) => each.startsWith('look'))).toHaveLength(2);
});

// What went another way in replays of durable workflows elsewhere.
test.each([
  [
    'nested calls at the same time',
    `
    await Promise.all(['1', '2'].map(async (a) => {
      await Promise.all(['x', 'y', 'z'].map(async (b) => { await sleep(b === 'x' ? 3 : 1); see(await tools.look({ what: a + b })) }));
      see(await tools.look({ what: a }));
    }))`,
  ],
  [
    'the clock after a race',
    `
    see(await Promise.race([tools.look({ what: 'fast' }), sleep(5).then(() => 'slept')]));
    see(Date.now() % 2 === 0 ? await tools.look({ what: 'even' }) : await tools.look({ what: 'odd' }));`,
  ],
  [
    'a race that leaves calls behind',
    `
    see(await Promise.race([Promise.all([tools.look({ what: 'a' }), tools.look({ what: 'b' })]), sleep(1)]));
    see(await Promise.any([tools.missing({}), tools.look({ what: 'c' })]));`,
  ],
  [
    'loops that change one state',
    `
    let running = 0;
    const loop = async (name) => { for (let i = 0; i < 4; i++) { running++; await tools.look({ what: name + i }); see([name, running--]) } };
    await Promise.all([loop('a'), loop('b'), loop('c')])`,
  ],
  [
    'failures in between',
    `
    for (const { status, reason } of await Promise.allSettled([tools.missing({}), tools.look({ what: 'x' }), tools.note(7), sleep(1)])) see([status, reason?.message, reason?.stack])`,
  ],
  [
    'what is left to the collector of garbage',
    `
    const gone = new FinalizationRegistry(see);
    for (let i = 0; i < 2_000; i++) gone.register({ i }, i);
    await tools.look({ what: 'x' }); see(new WeakRef(see).deref() === see)`,
  ],
])('a later round takes the same way: %s', async (_name, body) => {
  const shop = await start({}, []);
  const code = `const seen = []; const see = (what) => seen.push([what, Date.now(), Math.random()]); ${body};
    await tools.note({ what: JSON.stringify(seen) }); await tools.refund({ id: 'A' }); await tools.note({ what: JSON.stringify(seen) }); return seen.length`;
  const { structuredContent } = await shop.round(code, await shop.round(code));
  expect(structuredContent.result).toBeGreaterThan(0);
  const [before, after] = shop.done.filter((each) => each.startsWith('note'));
  expect(after).toBe(before);
});

test('a clock that is set back does not set back that of a program', async () => {
  const clock = new FakeClock();
  const shop = await start({ ports: { clock } }, [
    {
      name: 'back',
      description: 'Sets it back.',
      annotations: { readOnlyHint: true },
      handler: () => void clock.set(-60_000),
    },
  ]);
  const { structuredContent } = await shop.round(
    `const a = Date.now(); await tools.back(); return Date.now() - a`,
  );
  expect(structuredContent).toEqual({ result: 0 });
});

test('recorded calls are free, are not made again, and leave one record in each round', async () => {
  const shop = await start({ rateLimit: { points: 13, per: '1m' } });
  const code = `for (const what of ['a', 'b']) await tools.look({ what }); await tools.refund({ id: 'A' }); return 1`;
  const first = await shop.round(code);
  expect(shop.recordsOf('run_code').filter(({ outcome }) => outcome === 'replayed')).toEqual([]);
  expect((await shop.round(code, first)).structuredContent).toEqual({ result: 1 });
  const replayed = shop.records.filter(({ outcome }) => outcome === 'replayed');
  expect(replayed).toHaveLength(1);
  expect(replayed[0]).toMatchObject({
    operation: 'program',
    loggable: { calls: 2, program: expect.stringMatching(/^[0-9a-f]{64}$/) },
  });
  expect(shop.recordsOf('look')).toHaveLength(2);
});

describe('a later round asks again who may call', () => {
  test('a tool that is gone, or hidden from the caller', async () => {
    let isHidden = false;
    const shop = await start({ authorize: (_principal, { name }) => !(isHidden && name === 'look') });
    const first = await shop.round(CODE);
    isHidden = true;
    expect(textOf(await shop.round(CODE, first))).toMatch(
      /changed|no longer.*\nIt had called: look, refund/s,
    );
    isHidden = false;
    const again = await shop.round(CODE);
    shop.server.tools.remove('look');
    expect(textOf(await shop.round(CODE, again))).toMatch(/has changed since.*It had called: look, refund/s);
    expect(shop.done.filter((each) => each.startsWith('refund'))).toEqual([]);
  });

  test('a scope that the caller has no more', async () => {
    const shop = await start({}, [
      { name: 'pay', description: 'Pay.', policies: [RequireScopes.entry('pay')], handler: () => 'paid' },
    ]);
    const code = `await tools.pay(); await tools.refund({ id: 'A' }); return 1`;
    const first = await shop.round(code, undefined, shop.wire('ann', ['pay']));
    expect(textOf(await shop.round(code, first))).toMatch(/changed|may no longer call/);
    expect(shop.done).toEqual([]);
  });

  test('a tool that a release has changed', async () => {
    const shop = await start();
    const first = await shop.round(CODE);
    const look = shop.tools().find(({ name }) => name === 'look')!;
    shop.server.tools.remove('look');
    shop.server.tools.add({ ...look, description: 'Something else.' });
    expect(textOf(await shop.round(CODE, first))).toMatch(/"look" has changed since the round before/);
    expect(shop.done).toEqual(['look a']);
  });

  test('what was refused before and is refused again is the same to the program', async () => {
    const shop = await start({ lockedTools: 'listed' }, [
      { name: 'pay', description: 'Pay.', policies: [RequireScopes.entry('pay')], handler: () => 'paid' },
    ]);
    const code = `
      const heard = [];
      for (const name of ['pay', 'nothing', 'run_code']) await tools[name]({}).catch(({ message }) => heard.push(message));
      await tools.note({ what: heard.join() });
      await tools.refund({ id: 'A' });
      return heard`;
    const last = await shop.round(code, await shop.round(code));
    expect(last.structuredContent.result).toEqual([
      expect.stringContaining('pay'),
      expect.stringContaining('nothing'),
      expect.stringContaining('own names'),
    ]);
  });
});

test('a program that takes another way is refused', async () => {
  const journal = new Journal({ seed: 1, began: 1, begun: [{ tool: 'look', digest: 'a' }], ended: [] });
  await expect(journal.begin({ tool: 'look', digest: 'b' })).rejects.toThrow('takes another way');
  const shop = await start();
  const first = await shop.round(CODE);
  await expect(shop.round(`${CODE} `, first)).rejects.toThrow('requestState');
  expect(shop.done).toEqual(['look a']);
});

describe('a long journal', () => {
  const long = (times: number) => `
    let size = 0;
    for (let i = 0; i < ${times}; i++) size += (await tools.long({})).length;
    await tools.refund({ id: 'A' });
    return size`;
  const tool = (done: string[]) => ({
    name: 'long',
    description: 'Much.',
    inputSchema: { type: 'object' as const },
    handler: () => (done.push('long'), 'ü'.repeat(400_000)),
  });

  test('is sealed in the record store, and another process goes on with it', async () => {
    const records = new MemoryRecordStore({ now: () => 0, after: () => () => undefined });
    const done: string[] = [];
    const one = await start({ stores: { records } }, [tool(done)]);
    const other = await start({ stores: { records } }, [tool(done)]);
    const first = await one.round(long(1));
    expect(JSON.stringify(first).length).toBeLessThan(10_000);
    expect(JSON.stringify(records.list('code-journals'))).not.toContain('ü');
    expect((await other.round(long(1), first)).structuredContent).toEqual({ result: 400_000 });
    expect(records.list('code-journals')).toEqual([]);
    expect(done).toEqual(['long']);
  });

  test('is of one process without a shared store: another one refuses, and says what was called', async () => {
    const done: string[] = [];
    const one = await start({}, [tool(done)]);
    const other = await start({}, [tool(done)]);
    const refused = await other.round(long(1), await one.round(long(1)));
    expect(textOf(refused)).toMatch(/another process of the server keeps it\. It had called: long, refund/);
    expect(done).toEqual(['long']);
  });

  test('is bounded for each caller: what could not be kept is not begun again', async () => {
    const done: string[] = [];
    const shop = await start({}, [tool(done)]);
    const refused = await shop.round(long(21), await shop.round(long(21)));
    expect(textOf(refused)).toMatch(/it was too much to keep\. It had called: long, /);
    expect(done).toHaveLength(21);
    expect(shop.done).toEqual([]);
  });
});
