import type { CallTrace, ToolDefinition } from '@toolwright/core/operate';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { RecordedTelemetry } from '../../core/test/support/recorded-telemetry.js';
import { RecordingLogger } from '../../core/test/support/recording-logger.js';
import { Shop } from './support/shop.js';

const PASSWORD = 'hunter2-of-ann';
const TOKEN = 'tok_1234567890';
const DEV = Symbol.for('toolwright.failureObserver');

const login: ToolDefinition = {
  name: 'login',
  description: 'Log in.',
  inputSchema: { type: 'object', properties: { password: { type: 'string', 'x-sensitive': true } } },
  outputSchema: {
    type: 'object',
    properties: { token: { type: 'string', 'x-sensitive': true }, name: { type: 'string' } },
  },
  handler: () => ({ token: TOKEN, name: 'Ann' }),
};
const broken: ToolDefinition = {
  name: 'broken',
  description: 'Breaks.',
  inputSchema: { type: 'object', properties: { with: { type: 'string' } } },
  handler: ({ with: what }) => {
    throw new Error(`broken with ${String(what)}`);
  },
};

const MET = `
  const { token } = await tools.login({ password: '${PASSWORD}' });
  console.log('logged in with', token);
  await tools.note({ what: 'token ' + token });
  await tools.broken({ with: token }).catch(() => 0);`;

let shop: Shop;
let seen: CallTrace[];
let observed: unknown[];
const logger = new RecordingLogger();
beforeEach(async () => {
  shop = await new Shop().start({ logger }, [login, broken]);
  [seen, observed] = [[], [logger.lines, shop.sink.records]];
  shop.server.on('call', (trace) => seen.push(trace));
  shop.server.on('message', (message) => observed.push(message));
  observed.push(seen);
});
afterEach(() => shop.close());

/** What observers saw of the last program. */
const programSeen = () =>
  seen.findLast(({ name, state }) => name === 'run_code' && state === 'ended')!.program!;

/** Everything that any observer has got. */
const everything = () =>
  JSON.stringify(observed, (_key, value: unknown) => (value instanceof Error ? `${value.stack}` : value));

/** Where observers have got a secret. */
function leaks(other = /never$^/): string[] {
  return everything().match(new RegExp(`.{60}(?:${PASSWORD}|${TOKEN}|${other.source}).{20}`, 'g')) ?? [];
}

test('observers get digest and size of what a program gives that met a secret, and never its code', async () => {
  const telemetry = new RecordedTelemetry();
  const { structuredContent } = await shop.round(`${MET} return { token }`);
  expect(structuredContent).toMatchObject({ result: { token: TOKEN }, logs: [`logged in with ${TOKEN}`] });
  const hidden = { digest: expect.stringMatching(/^[0-9a-f]{64}$/), bytes: expect.any(Number) };
  expect(programSeen()).toEqual({
    digest: shop.recordsOf('run_code')[0]!.program,
    log: hidden,
    result: { ...hidden, bytes: JSON.stringify({ token: TOKEN }).length },
  });
  await shop.round(`${MET} throw new Error('no: ' + token)`);
  expect(programSeen()).toMatchObject({ log: hidden, error: hidden });
  observed.push(telemetry.spans(), await telemetry.points());
  await telemetry.stop();
  expect(everything()).toContain('broken with [sensitive]');
  expect(leaks(/await tools/)).toEqual([]);
});

test('a secret of an earlier round is one in each later round', async () => {
  const code = `const { token } = await tools.login({ password: '${PASSWORD}' }); await tools.refund({ id: 'A' }); return token`;
  await shop.round(code, await shop.round(code));
  expect(programSeen()).toMatchObject({ result: { bytes: TOKEN.length + 2 } });
  expect(leaks()).toEqual([]);
});

test('parts of a secret are in no record of the program, and no name of a tool shows one', async () => {
  await shop.round(`${MET} throw new Error(token.slice(4) + [...token].reverse().join(''))`);
  await shop.round(`${MET} return { text: token.slice(4) }`);
  await shop.round(`${MET} await tools[token]({}).catch(() => 0)`);
  await shop.round(`${MET} await tools['x' + token]({})`);
  expect(shop.recordsOf('run_code').map(({ result }) => result)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(leaks(/1234567890|0987654321/)).toEqual([]);
});

test('the question to a person has no secret either', async () => {
  const { inputRequests } = await shop.round(
    `const { token } = await tools.login({}); await tools.refund({ id: token })`,
  );
  expect(JSON.stringify(inputRequests)).toMatch(/\[sensitive\]/);
  expect(JSON.stringify(inputRequests)).not.toContain(TOKEN);
});

test('observers see the result and the log of a program that met no secret, and its code by its digest only', async () => {
  await shop.round(`console.log('found'); return (await tools.look({ what: 'x' })).length`);
  expect(programSeen()).toEqual({
    digest: expect.any(String),
    log: { text: 'found' },
    result: { text: '7' },
  });
  expect(leaks(/await tools/)).toEqual([]);
});

test('in dev they see its code, its log and its result, without the secrets', async () => {
  Object.assign(globalThis, { [DEV]: () => undefined });
  try {
    await shop.round(`${MET} return { token }`);
  } finally {
    Reflect.deleteProperty(globalThis, DEV);
  }
  expect(programSeen()).toMatchObject({
    code: expect.stringContaining(`tools.login({ password: '[sensitive]' })`),
    log: { text: 'logged in with [sensitive]' },
    result: { text: '{"token":"[sensitive]"}' },
  });
  expect(leaks()).toEqual([]);
});

test('the log on the disk has the digest of the program in each record, and nothing of it', async () => {
  const dir = temporaryFolder();
  const other = await new Shop().start({ audit: { file: join(dir, 'audit.jsonl') } }, [login, broken]);
  await other.round(`${MET} return { token }`);
  await other.close();
  const text = await readFile(join(dir, 'audit.jsonl'), 'utf8');
  const records = text
    .split('\n')
    .filter((line) => line.includes('"callId"'))
    .map((line) => JSON.parse(line) as { name: string; program: string });
  expect(records.map(({ name }) => name).sort()).toEqual(['broken', 'login', 'note', 'run_code']);
  expect([...new Set(records.map(({ program }) => program))]).toEqual([
    expect.stringMatching(/^[0-9a-f]{64}$/),
  ]);
  expect(text).not.toMatch(new RegExp(`${PASSWORD}|${TOKEN}|await tools`));
});
