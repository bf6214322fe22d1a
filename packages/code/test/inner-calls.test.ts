import { hash } from 'node:crypto';
import { until } from '../../../.ci/test/support/until.js';
import { FakeClock } from '../../core/test/support/fake-clock.js';
import { RecordedTelemetry } from '../../core/test/support/recorded-telemetry.js';
import { StatefulWire } from '../../core/test/wire/stateful-wire.js';
import { CONFIRMED, Shop, textOf } from './support/shop.js';

let shop: Shop;
beforeEach(() => void (shop = new Shop()));
afterEach(() => shop.close());

test('each call of a program has its own record, with its parent and the digest of the program', async () => {
  await shop.start();
  const code = `await tools.note({ what: 'a' }); await tools.note({ what: 'b' }); return 1`;
  await shop.round(code);
  const [program] = shop.recordsOf('run_code');
  expect(program).toMatchObject({ mode: 'buffered', outcome: 'ok', program: hash('sha256', code, 'hex') });
  const inner = shop.recordsOf('note');
  expect(inner).toHaveLength(2);
  expect(new Set(inner.map(({ callId }) => callId)).size).toBe(2);
  for (const record of inner)
    expect(record).toMatchObject({ parent: program!.callId, program: program!.program, outcome: 'ok' });
});

test('two confirmations need two answers, with a durable intent and a key of its own each', async () => {
  await shop.start();
  const code = `return await Promise.all([tools.refund({ id: 'A' }), tools.look({ what: 'x' }), tools.refund({ id: 'B' })])`;
  const first = await shop.round(code);
  const keys = Object.keys(first.inputRequests);
  expect(keys.map((key) => key.split('/')[0])).toEqual(['call.1', 'call.3']);
  const messages = keys.map((key) => first.inputRequests[key].params.message as string);
  expect(messages).toEqual([expect.stringMatching(/refund.*A/s), expect.stringMatching(/refund.*B/s)]);
  expect(shop.done).toEqual(['look x']);
  const one = { requestState: first.requestState, inputResponses: { [keys[0]!]: CONFIRMED } };
  const second = (await shop.wire().call('run_code', { code }, one)).result;
  expect(Object.keys(second.inputRequests)).toEqual([keys[1]]);
  const last = await shop.round(code, second);
  expect(last.structuredContent.result).toEqual([{ refunded: 'A' }, expect.any(String), { refunded: 'B' }]);
  const paid = shop.done.filter((each) => each.startsWith('refund')).map((each) => each.split(' ')[2]);
  expect(new Set(paid).size).toBe(2);
  const intents = shop.recordsOf('refund').filter(({ event }) => event === 'intent');
  expect(intents.map(({ mode }) => mode)).toEqual(['strict', 'strict']);
  expect(new Set(intents.map(({ callId }) => callId)).size).toBe(2);
});

test('no call is charged twice, and each is charged', async () => {
  await shop.start({ rateLimit: { points: 5, per: '1m' } });
  const code = `for (let i = 0; i < 5; i++) await tools.look({ what: 'x' }); await tools.refund({ id: 'A' }); return 1`;
  expect((await shop.round(code, await shop.round(code))).structuredContent).toEqual({ result: 1 });
  expect(textOf(await shop.round(`return await tools.look({})`))).toMatch(/Rate limited/);
});

test('programs of one caller do not stop each other: they hold no slot while their calls run', async () => {
  // As many as a caller may have by default.
  await shop.start();
  const programs = Array.from({ length: 32 }, (_, index) =>
    shop.round(`return await tools.wait({ gate: '${index}' })`),
  );
  await until(() => shop.done.length === programs.length);
  for (const index of programs.keys()) shop.gates.open(String(index));
  for (const [index, result] of (await Promise.all(programs)).entries())
    expect(result.structuredContent).toEqual({ result: `through ${index}` });
});

test('programs that wait for a person are bounded for each caller', async () => {
  await shop.start({ concurrency: { perPrincipal: 2 } });
  const wire = new StatefulWire(shop.server, { capabilities: { elicitation: {} }, subject: 'ann' });
  const ask = () => wire.call('run_code', { code: `return await tools.refund({ id: 'A' })` });
  const waiting = [ask(), ask()];
  const questions = () => wire.said.filter(({ method }) => method === 'elicitation/create');
  await until(() => questions().length === 2);
  const { result } = await wire.call('run_code', { code: 'return 1' });
  expect([textOf(result), result._meta]).toEqual([
    expect.stringContaining('Too many of your programs'),
    expect.objectContaining({ retryAfterMs: 1_000 }),
  ]);
  expect((await shop.round('return 1', undefined, shop.wire('bob'))).structuredContent).toEqual({
    result: 1,
  });
  for (const { id } of questions()) wire.answer(id as string, { result: CONFIRMED });
  for (const each of await Promise.all(waiting))
    expect(each.result.structuredContent).toEqual({ result: { refunded: 'A' } });
  expect((await wire.call('run_code', { code: 'return 1' })).result.structuredContent).toEqual({ result: 1 });
  wire.close();
});

test('a person may take longer than the deadline and the time of the program', async () => {
  const clock = new FakeClock();
  await shop.start({ ports: { clock }, timeout: '5s', codeMode: { time: '1s' } });
  const wire = new StatefulWire(shop.server, { capabilities: { elicitation: {} }, subject: 'ann' });
  const answer = wire.call('run_code', { code: `return await tools.refund({ id: 'A' })` });
  const { id } = await wire.question('elicitation/create');
  await clock.advance(60_000);
  wire.answer(id as string, { result: CONFIRMED });
  expect((await answer).result.structuredContent).toEqual({ result: { refunded: 'A' } });
  wire.close();
});

test('who cancels a program cancels all of its calls, and its work', async () => {
  await shop.start();
  const code = `return await Promise.all([tools.wait({ gate: 'a' }), tools.wait({ gate: 'b' })])`;
  const running = shop.wire().open('tools/call', { params: { name: 'run_code', arguments: { code } } });
  const busy = shop.wire().open('tools/call', {
    params: { name: 'run_code', arguments: { code: 'await tools.note({ what: "in" }); for (;;) {}' } },
  });
  await until(() => shop.done.length === 3);
  running.giveUp();
  busy.giveUp();
  await until(() => shop.gates.aborted.length === 2);
  expect([...shop.gates.aborted].sort()).toEqual(['a', 'b']);
  await until(() => shop.recordsOf('run_code').length === 2);
  expect(shop.recordsOf('run_code').map(({ outcome }) => outcome)).toEqual(['cancelled', 'cancelled']);
  expect((await shop.round('return 1')).structuredContent).toEqual({ result: 1 });
});

describe('a program that ends early names what it has called', () => {
  test('at its deadline', async () => {
    const clock = new FakeClock();
    await shop.start({ ports: { clock }, timeout: '5s' });
    const running = shop.round(`await tools.note({ what: 'a' }); await sleep(20_000)`);
    await until(() => clock.pending >= 2);
    await clock.advance(6_000);
    expect(textOf(await running)).toMatch(/did not finish within 5 s.*It had called: note\./s);
    const idle = shop.round(`await sleep(20_000)`);
    await until(() => clock.pending >= 2);
    await clock.advance(6_000);
    expect(textOf(await idle)).toMatch(/had called no tool/);
  });

  test('when the server stops', async () => {
    await shop.start();
    const running = shop.round(`await tools.note({ what: 'a' }); await tools.wait({ gate: 'x' })`);
    await shop.gates.reached('x');
    await shop.close();
    expect(textOf(await running)).toMatch(/The server is stopping.*It had called: note, wait\./s);
  });

  test('when an operator ends it', async () => {
    await shop.start();
    const running = shop.round(`await tools.note({ what: 'a' }); await tools.wait({ gate: 'x' })`);
    await shop.gates.reached('x');
    const operator = shop.server.operate('olga');
    const { calls } = await operator.state();
    await operator.cancelCall(calls.find(({ name }) => name === 'run_code')!.number);
    expect(textOf(await running)).toMatch(/An operator of this server ended.*It had called: note, wait\./s);
  });

  test.each([
    [
      'calls',
      `for (;;) try { await tools.note({ what: 'a' }) } catch {}`,
      /may make 3 calls.*It had called: note, note, note\./s,
    ],
    [
      'time',
      `await tools.note({ what: 'a' }); try { for (;;) {} } catch {}`,
      /may work 2000 ms.*It had called: note\./s,
    ],
    [
      'arguments',
      `await tools.note({ what: 'a' }); try { await tools.note({ what: 'x'.repeat(2_000) }) } catch {}; return 1`,
      /1000 bytes.*It had called: note\./s,
    ],
    [
      'sleep',
      `await tools.note({ what: 'a' }); try { await sleep(40_000) } catch {}; return 1`,
      /may sleep 30000 ms.*It had called: note\./s,
    ],
    [
      'sleeps',
      `try { await Promise.all(Array.from({ length: 1_001 }, () => sleep(60_000 / 2))) } catch {}; return 1`,
      /may sleep 1000 times/,
    ],
  ])('when it breaks its budget of %s, which it cannot catch', async (_budget, code, expected) => {
    await shop.start({ codeMode: { calls: 3, time: '2s', result: 1_000 } });
    const result = await shop.round(code);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(expected);
  });
});

test('a program that fails names what it has called, without names that no tool has', async () => {
  await shop.start();
  const code = `await tools.nothing({}).catch(() => 0); await tools['note\\u0000x']({}).catch(() => 0); await tools.note({ what: 'a' }); throw new Proxy(Error, { get: () => 'x' })`;
  expect(textOf(await shop.round(code))).toMatch(/^a value that has no text\nIt had called: note\. /);
  expect(shop.done).toEqual(['note a']);
});

test('what a program begins and does not wait for is done and recorded before it ends', async () => {
  await shop.start();
  const { structuredContent } = await shop.round(`tools.note({ what: 'a' }); return 1`);
  expect(structuredContent).toMatchObject({ result: 1 });
  expect(shop.done).toEqual(['note a']);
  const over = shop.round(
    `tools.wait({ gate: 'x' }); for (let i = 0; i < 60; i++) tools.note({ what: 'n' })`,
  );
  await shop.gates.reached('x');
  shop.gates.open('x');
  expect(textOf(await over)).toMatch(/may make 50 calls/);
  expect(shop.recordsOf('wait')).toMatchObject([{ outcome: 'ok' }]);
});

test('nobody waits for a pause that a program does not wait for', async () => {
  const clock = new FakeClock();
  await shop.start({ ports: { clock }, timeout: false });
  expect((await shop.round(`sleep(30_000); return 1`)).structuredContent).toEqual({ result: 1 });
});

test('progress is that of the program', async () => {
  await shop.start();
  const params = {
    name: 'run_code',
    arguments: { code: `await tools.note({ what: 'a' }); await tools.look({ what: 'b' })` },
  };
  const { inbox, answer } = shop.wire().open('tools/call', { params, meta: { progressToken: 'p' } });
  await answer;
  const reports = inbox.messages.filter(({ method }) => method === 'notifications/progress');
  expect(reports[0]).toMatchObject({ params: { progressToken: 'p', progress: 1, message: 'note' } });
});

test('spans and metrics are those of the inner tools', async () => {
  const telemetry = new RecordedTelemetry();
  await shop.start();
  await shop.round(`await tools.note({ what: 'hush' }); await tools.missing({}).catch(() => 0)`);
  expect(telemetry.spans().map(({ name }) => name)).toEqual(['tools/call note', 'tools/call run_code']);
  const measured = (await telemetry.points()).map(({ attributes }) => attributes['gen_ai.tool.name']);
  expect(measured).toEqual(expect.arrayContaining(['note', 'run_code']));
  await telemetry.stop();
});
