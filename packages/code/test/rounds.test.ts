import { RequireScopes, ToolError } from '@toolwright/core';
import { MemoryClaimStore, MemoryRecordStore } from '@toolwright/core/ports';
import { until } from '../../../.ci/test/support/until.js';
import { closedAfterEach } from '../../../.ci/test/support/closed-after-each.js';
import { FakeClock } from '../../core/test/support/fake-clock.js';
import { Journal } from '../src/program/journal.js';
import { CONFIRMED, Shop, secret, textOf } from './support/shop.js';

const shops = closedAfterEach<Shop>();
const start = (...args: Parameters<Shop['start']>) => {
  const shop = new Shop();
  shops.push(shop);
  return shop.start(...args);
};

const CODE = `const a = await tools.look({ what: 'a' }); await tools.refund({ id: 'A' }); return a`;

test('an answer is good once where processes share their claims, and once in each process where they do not', async () => {
  const answered = async (stores: { claims?: MemoryClaimStore }) => {
    const [one, other] = [await start({ stores }), await start({ stores })];
    const first = await one.round(CODE);
    await one.round(CODE, first);
    await other.round(CODE, first).catch(() => undefined);
    return [one, other].map(({ done }) => done.filter((each) => each.startsWith('refund')).length);
  };
  expect(await answered({ claims: new MemoryClaimStore(new FakeClock()) })).toEqual([1, 0]);
  expect(await answered({})).toEqual([1, 1]);
});

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
    expect(textOf(refused)).toMatch(/another process of the server keeps it, .* It had called: long, refund/);
    expect(done).toEqual(['long']);
  });

  test('that alone is too much for a caller: nobody is asked, and the answer says why', async () => {
    const done: string[] = [];
    const shop = await start({}, [tool(done)]);
    const refused = await shop.round(long(21));
    expect(refused.inputRequests).toBeUndefined();
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toMatch(/16777216 may be kept. So nobody was asked.*It had called: long, /s);
    expect(done).toHaveLength(21);
    expect(shop.done).toEqual([]);
  });

  test('takes the place of the oldest ones of the same caller, and never that of others', async () => {
    const shop = await start({}, [tool([])]);
    const bob = shop.wire('bob');
    const other = await shop.round(long(5), undefined, bob);
    const oldest = await shop.round(long(5));
    const later = [await shop.round(long(5)), await shop.round(long(5)), await shop.round(long(5))];
    expect(textOf(await shop.round(long(5), oldest))).toMatch(
      /later questions of this caller took its place\. It had called: long/,
    );
    for (const each of later)
      expect((await shop.round(long(5), each)).structuredContent).toEqual({ result: 2_000_000 });
    expect((await shop.round(long(5), other, bob)).structuredContent).toEqual({ result: 2_000_000 });
  });
});

test('a program that has failed asks nobody, also when a question was open', async () => {
  const shop = await start({ codeMode: { calls: 2 } });
  const code = `await Promise.all([tools.refund({ id: 'A' }), tools.look({ what: 'x' }).then(() => tools.look({ what: 'y' }))])`;
  const refused = await shop.round(code);
  expect(refused.inputRequests).toBeUndefined();
  expect(textOf(refused)).toMatch(/at most 2 calls|may make 2 calls/);
});

describe('a round whose answer got lost', () => {
  const code = `await tools.look({ what: 'a' }); await tools.refund({ id: 'A' }); await tools.wait({ gate: 'g' }); return 1`;
  const cancelled = async (shop: Shop) => {
    const first = await shop.round(code);
    const responses = Object.keys(first.inputRequests).map((key) => [key, CONFIRMED]);
    const params = { name: 'run_code', arguments: { code }, requestState: first.requestState };
    const second = shop
      .wire()
      .open('tools/call', { params: { ...params, inputResponses: Object.fromEntries(responses) } });
    await until(() => shop.done.includes('wait g'));
    second.giveUp();
    await second.answer;
    return first;
  };

  test('is not run again, and the error names what was called in all rounds', async () => {
    const shop = await start();
    const first = await cancelled(shop);
    await expect(shop.round(code, first)).rejects.toThrow(
      'Invalid or expired requestState. Start the request again. It had called: look, refund, wait. Look what they did before you run it again.',
    );
    expect(shop.done.filter((each) => each.startsWith('refund'))).toHaveLength(1);
  });

  test('names to nobody else what was called', async () => {
    const shop = await start();
    const first = await cancelled(shop);
    await expect(shop.round(code, first, shop.wire('eve'))).rejects.toThrow(/Start the request again\.$/);
  });

  test('names what was called until the question, where another process ran it', async () => {
    const { secrets, stores } = {
      secrets: [secret],
      stores: { claims: new MemoryClaimStore(new FakeClock()) },
    };
    const [one, other] = [await start({ secrets, stores }), await start({ secrets, stores })];
    const first = await cancelled(one);
    await expect(other.round(code, first)).rejects.toThrow(
      'It had called: look, refund. Look what they did before you run it again. What it did after the answer is not known here.',
    );
  });

  test('also when the answer comes too late', async () => {
    const clock = new FakeClock();
    const shop = await start({ ports: { clock } });
    const first = await shop.round(code);
    clock.leap(24 * 3_600_000);
    await expect(shop.round(code, first)).rejects.toThrow('It had called: look, refund.');
  });
});

test('calls that were refused are not among those that were called', async () => {
  const shop = await start({ lockedTools: 'listed' }, [
    { name: 'pay', description: 'Pay.', policies: [RequireScopes.entry('pay')], handler: () => 'paid' },
    {
      name: 'fail',
      description: 'Fail.',
      handler: () => {
        throw new ToolError('no');
      },
    },
  ]);
  const code = `
    const codes = [];
    for (const [name, args] of [['look', { what: 'a' }], ['refund', { id: 'A' }], ['pay'], ['look', { what: 1 }], ['run_code', { code: '1' }], ['nothing'], ['fail']])
      await tools[name](args).catch((error) => codes.push(error.code));
    throw new Error(codes.join())`;
  const first = await shop.round(code);
  const responses = Object.fromEntries(
    Object.keys(first.inputRequests).map((key) => [key, { action: 'decline' }]),
  );
  const { result } = await shop
    .wire()
    .call('run_code', { code }, { requestState: first.requestState, inputResponses: responses });
  expect(textOf(result)).toBe(
    'TW_NOT_CONFIRMED,TW_INSUFFICIENT_SCOPE,TW_INVALID_ARGUMENTS,TW_PROGRAM_REFUSED,TW_UNKNOWN_NAME,TW_TOOL_ERROR (line 5)\nIt had called: look, fail. Look what they did before you run it again.',
  );
});
