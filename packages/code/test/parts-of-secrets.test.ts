import { Confirm, RateLimit } from '@toolwright/core';
import type { CallTrace, ToolDefinition } from '@toolwright/core/operate';
import { RecordedTelemetry } from '../../core/test/support/recorded-telemetry.js';
import { RecordingLogger } from '../../core/test/support/recording-logger.js';
import { Shop } from './support/shop.js';

/** Chance makes none of its parts. */
const SECRET = 'Quokka7\n"Wombat9';
const PARTS = ['Quokka', 'Wombat', 'uokka7', 'ombat9'];
const NEEDLES = [
  ...PARTS,
  ...PARTS.map((part) => [...part].reverse().join('')),
  // As base64 and in hexadecimal digits, from any place.
  'UXVva2',
  'F1b2tr',
  'dW9ra2',
  'V29tYm',
  '51756f6b',
  '576f6d62',
];

const reads = { annotations: { readOnlyHint: true } } as const;
const sensitiveBoolean = { type: 'boolean', 'x-sensitive': true } as const;
const sensitive = { type: 'string', 'x-sensitive': true } as const;
const takes = (properties: object, required: string[] = []) =>
  ({ type: 'object', properties, required, additionalProperties: false }) as const;

const tools: ToolDefinition[] = [
  {
    name: 'secret',
    description: 'Give it.',
    ...reads,
    outputSchema: { type: 'object', properties: { pw: sensitive, owner: { type: 'string' } } },
    handler: () => ({ pw: SECRET, owner: 'Bilby the third' }),
  },
  {
    name: 'answer',
    description: 'Give it.',
    ...reads,
    outputSchema: { type: 'object', properties: { yes: sensitiveBoolean, open: { type: 'boolean' } } },
    handler: () => ({ yes: true, open: true }),
  },
  {
    name: 'login',
    description: 'Log in.',
    ...reads,
    inputSchema: takes({ pw: { ...sensitive, minLength: 8 } }),
    handler: ({ pw }) => `len ${String(pw).length}`,
  },
  {
    name: 'echo',
    description: 'Echo.',
    ...reads,
    inputSchema: takes({ v: {}, w: {} }),
    handler: ({ v }) => ({ v }),
  },
  {
    name: 'ask',
    description: 'Ask first.',
    policies: [Confirm.entry(({ v }: { v: string }) => `Do it with ${v}?`)],
    inputSchema: takes({ v: { type: 'string' } }),
    handler: ({ v }) => v as string,
  },
  {
    name: 'broken',
    description: 'Breaks.',
    ...reads,
    inputSchema: takes({ v: { type: 'string' } }),
    handler: ({ v }) => {
      throw new Error(`broken with ${String(v)}`);
    },
  },
  {
    name: 'limited',
    description: 'Once.',
    ...reads,
    policies: [RateLimit.entry({ points: 1, per: '1m' })],
    inputSchema: takes({ v: { type: 'string' } }),
    handler: () => 'ok',
  },
];

let shop: Shop;
let seen: CallTrace[];
let observed: unknown[];
let logger: RecordingLogger;
beforeEach(async () => {
  logger = new RecordingLogger();
  shop = await new Shop().start({ logger }, tools);
  [seen, observed] = [[], [logger.lines, shop.sink.records]];
  shop.server.on('call', (trace) => seen.push(structuredClone({ ...trace, steps: [] })));
  shop.server.on('message', (message) => observed.push(message));
  shop.server.on('security', (event) => observed.push(event));
  observed.push(seen);
});
afterEach(() => shop.close());

const everything = () =>
  JSON.stringify(observed, (_key, value: unknown) => (value instanceof Error ? `${value.stack}` : value));
const leaks = (needles: readonly string[] = NEEDLES) => {
  const all = everything();
  return needles.flatMap((needle) => {
    const at = all.indexOf(needle);
    return at < 0 ? [] : [all.slice(Math.max(0, at - 80), at + 30)];
  });
};

const MET = 'const { pw } = await tools.secret(); ';
/** The ways to give away a part. `p` is one. */
const WAYS: readonly (readonly [string, string])[] = [
  ['an argument', 'await tools.echo({ v: p })'],
  ['an argument, inside of others', 'await tools.echo({ v: [{ deep: "x " + p + " y" }] })'],
  ['the name of an argument', 'await tools.echo({ [p]: 1 }).catch(() => 0)'],
  ['an argument that nobody declared', 'await tools.echo({ other: p }).catch(() => 0)'],
  ['the name of an unknown tool', 'await tools["x_" + p]().catch(() => 0)'],
  ['an argument of an unknown tool', 'await tools.nothing({ v: p }).catch(() => 0)'],
  ['a refused tool', 'await tools.run_code({ code: p }).catch(() => 0)'],
  ['a search', 'await tools.search_tools({ query: p }).catch(() => 0)'],
  ['the name of a tool to describe', 'await tools.describe_tool({ name: p }).catch(() => 0)'],
  ['two arguments', 'await tools.echo({ v: p.slice(0, 3), w: p.slice(3) })'],
  ['a question', 'await tools.ask({ v: p })'],
  ['an error of a tool', 'await tools.broken({ v: p }).catch(() => 0)'],
  ['a call over a limit', 'for (const _ of [1, 2]) await tools.limited({ v: p }).catch(() => 0)'],
  ['a wrong type', 'await tools.ask({ v: [p] }).catch(() => 0)'],
  ['the log', 'console.log(p)'],
  ['the result', 'return { p }'],
  ['the error', 'throw new Error(p)'],
];
/** The ways to make a part of it. */
const CUTS: readonly (readonly [string, string])[] = [
  ['its first half', 'pw.slice(0, 7)'],
  ['its last half', 'pw.slice(-7)'],
  ['all of it', 'pw'],
  ['it as JSON', 'JSON.stringify(pw)'],
  ['it in an address', 'encodeURIComponent(pw)'],
  ['it backwards', '[...pw].reverse().join("")'],
  ['it in hexadecimal digits', '[...pw].map((c) => c.charCodeAt(0).toString(16)).join("")'],
];

test.each(WAYS)('no part of a secret reaches an observer as %s', async (_way, code) => {
  for (const [cut, part] of CUTS) {
    const telemetry = new RecordedTelemetry();
    try {
      const program = `${MET}const p = ${part}; ${code}`;
      const asked = await shop.round(program).catch(() => undefined);
      if (asked?.['inputRequests']) await shop.round(program, asked);
      observed.push(telemetry.spans(), await telemetry.points());
    } finally {
      await telemetry.stop();
    }
    expect(seen.length).toBeGreaterThan(0);
    expect([cut, leaks()]).toEqual([cut, []]);
    seen.length = 0;
  }
});

test.each([
  ['too short for its schema', `tools.login({ pw: 'Nope731' })`],
  ['of a wrong type', `tools.login({ pw: { x: 'Nope731' } })`],
  ['under a wrong name', `tools.login({ password: 'Nope731' })`],
  ['for a tool that does not exist', `tools.logn({ pw: 'Nope731' })`],
])('a secret that is refused is one in log, result and error: %s', async (_name, call) => {
  const before = `try { await ${call} } catch (e) { console.log('Nope731', e.message) }`;
  await shop.round(`${before} return 'Nope731'`).catch(() => undefined);
  await shop.round(`${before} throw new Error('Nope731')`).catch(() => undefined);
  await shop.round(`${before} await tools.echo({ v: 'Nope7' })`).catch(() => undefined);
  expect(leaks(['Nope7'])).toEqual([]);
});

test('what a program surely has from elsewhere is shown: texts of its code and of results without a secret', async () => {
  await shop.round(
    `${MET}const { owner } = await tools.secret(); await tools.echo({ v: owner, w: ['Ann Example', 41, true] }); await tools.no_such_tool().catch(() => 0)`,
  );
  expect(shop.recordsOf('echo')[0]!.arguments).toEqual({
    v: 'Bilby the third',
    w: ['Ann Example', 41, true],
  });
  expect(shop.recordsOf('no_such_tool')).toHaveLength(1);
  expect(leaks()).toEqual([]);
});

test.each([
  ['itself', 'const s = await tools.answer();', 's.yes'],
  ['its opposite', 'const s = await tools.answer();', '!s.yes'],
  ['itself, where the code has the word', 'const ok = true; const s = await tools.answer();', 's.yes === ok'],
  ['what another secret says', MET, 'pw.startsWith("Q")'],
])('a boolean that a secret decides is hidden: %s', async (_name, before, value) => {
  await shop.round(`${before} return await tools.echo({ v: [${value}] })`);
  expect(shop.recordsOf('echo').map((record) => [record.arguments, record.result])).toEqual([
    [{ v: ['[sensitive]'] }, undefined],
  ]);
  expect(seen.findLast(({ name }) => name === 'echo')!.arguments).toEqual({ v: ['[sensitive]'] });
  expect(seen.findLast(({ name }) => name === 'run_code')!.program!.result).not.toHaveProperty('text');
});

test('a result that may repeat a part is not known, so it is hidden in the next call', async () => {
  await shop.round(
    `${MET}const { v } = JSON.parse(await tools.echo({ v: pw.slice(0, 7) })); await tools.echo({ v })`,
  );
  expect(shop.recordsOf('echo').map((record) => [record.arguments, record.result])).toEqual([
    [{ v: '[sensitive]' }, undefined],
    [{ v: '[sensitive]' }, undefined],
  ]);
});

test('the person who decides sees what the call is about, without the secret as it is', async () => {
  const { inputRequests } = await shop.round(
    `${MET}await tools.ask({ v: 'half ' + pw.slice(0, 7) + ' ' + pw })`,
  );
  const { message } = (Object.values(inputRequests!)[0] as { params: { message: string } }).params;
  expect(message).toContain('half Quokka7 [sensitive]');
});
