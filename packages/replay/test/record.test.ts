import fs, { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from '@toolwright/client';
import { RecordingLines } from '@toolwright/json';
import * as fc from 'fast-check';
import { ConfigurationError, createMcpServer, type McpServer } from '@toolwright/core';
import { readRecording, recordTo, type RecordedLine } from '../src/index.js';
import { reasonToLeave } from '../src/play/left-call.js';
import { keptCalls } from '../src/read/kept-calls.js';
import { makePlace, reading, recorded, type Revision, revisions, serverWith } from './support/recorded.js';

const place = makePlace();
let server: McpServer;
beforeEach(async () => {
  server = await serverWith('1.0.0', [
    reading('greet', ({ who }) => `Hello ${String(who)}.`, {
      inputSchema: {
        type: 'object',
        properties: { who: { type: 'string' }, pin: { type: 'string', format: 'password' } },
      },
    }),
  ]);
});
afterEach(() => server.close(0));
afterAll(() => place.remove());

const SECRET = 'hunter2-and-more';
const linesOf = (file: string) =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as RecordedLine);

const fileFor = (name: string) => `${place.folder}/${name}.jsonl`;
const greet = (file: string, revision: Revision) =>
  recorded(file, server, async (open) => {
    const client = await open({
      revision,
      principal: { subject: 'ann', scopes: ['a'], claims: { mail: SECRET } },
    });
    await client.call('greet', { who: 'Bob', pin: SECRET });
  });

test.each(revisions)(
  'messages of %s are recorded without secrets, and with the revision of their channel',
  async (revision) => {
    const file = fileFor(`secrets-${revision}`);
    await greet(file, revision);
    const [header, ...lines] = linesOf(file);
    expect(header).toMatchObject({
      recording: 1,
      server: { name: 'pages', version: '1.0.0' },
      revision: '2026-07-28',
      contract: expect.stringMatching(/^[\w-]{16}$/),
    });
    const call = lines.find(({ message }) => (message as { method?: string }).method === 'tools/call')!;
    expect(call).toMatchObject({ revision, direction: 'received', principal: { subject: 'ann' } });
    expect(call.principal).toEqual({ subject: 'ann' });
    expect(call.message).toMatchObject({ params: { arguments: { who: 'Bob', pin: '[sensitive]' } } });
    expect(readFileSync(file, 'utf8')).not.toContain(SECRET);
  },
);

test('two recordings of the same traffic have the same messages', async () => {
  const [first, second] = [fileFor('first'), fileFor('second')];
  await greet(first, '2025-11-25');
  // Ids of JSON-RPC, channels and times go on in the server.
  await greet(second, '2025-11-25');
  const withoutTimes = (file: string) =>
    linesOf(file)
      .slice(1)
      .map(({ at: _, ...line }) => line);
  expect(withoutTimes(second)).toEqual(withoutTimes(first));
  expect(linesOf(first).every(({ at }) => at === undefined || (at >= 0 && at < 60_000))).toBe(true);
});

test('nobody else may read the file', async () => {
  const file = fileFor('private');
  await greet(file, '2026-07-28');
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a full file gets a number, each begins with the header, and the oldest go', async () => {
  const file = fileFor('full');
  const recorder = recordTo(server, { file, maxBytes: 2_000, files: 2 });
  const client = await connect(server);
  for (let call = 0; call < 20; call++) await client.call('greet', { who: `number ${call}` });
  await client.close();
  recorder.close();
  expect([file, `${file}.1`, `${file}.2`].map((path) => existsSync(path))).toEqual([true, true, false]);
  for (const path of [file, `${file}.1`]) {
    expect(statSync(path).size).toBeLessThanOrEqual(2_000);
    expect((await readRecording(path)).header.server.name).toBe('pages');
  }
  expect(readFileSync(file, 'utf8')).toContain('number 19');
});

test('a session goes on in the next file with its revision', async () => {
  const file = fileFor('session');
  const recorder = recordTo(server, { file, maxBytes: 1_500, files: 2 });
  const client = await connect(server, { revision: '2025-06-18' });
  for (let call = 0; call < 10; call++) await client.call('greet', { who: 'x'.repeat(100) });
  await client.close();
  recorder.close();
  const { messages } = await readRecording(file);
  expect(messages.length).toBeGreaterThan(0);
  expect(messages.every(({ revision }) => revision === '2025-06-18')).toBe(true);
});

test('a recording that is there is kept under a number', async () => {
  const file = fileFor('again');
  await greet(file, '2026-07-28');
  const before = readFileSync(file, 'utf8');
  recordTo(server, { file }).close();
  expect(readFileSync(`${file}.1`, 'utf8')).toBe(before);
});

test('a file that is no recording is not overwritten, and neither is what a link leads to', () => {
  const [other, link] = [fileFor('other'), fileFor('link')];
  writeFileSync(other, '{"name":"my-app"}\n');
  symlinkSync(other, link);
  for (const file of [other, link])
    expect(() => recordTo(server, { file })).toThrow(
      expect.objectContaining({
        message: expect.stringContaining('TW_RECORDING_FILE'),
      }) as ConfigurationError,
    );
  expect(readFileSync(other, 'utf8')).toBe('{"name":"my-app"}\n');
});

test('a full disk ends the recording, the log says it once, and the server goes on', async () => {
  const logged: string[] = [];
  const note = (_fields: unknown, text: string) => void logged.push(text);
  const logger = { debug: () => undefined, info: () => undefined, warn: note, error: note };
  const full = await createMcpServer({ name: 'full', version: '1.0.0', services: [], audit: false, logger });
  full.tools.add(reading('look', () => 'seen'));
  const recorder = recordTo(full, { file: fileFor('disk') });
  const disk = jest.spyOn(fs, 'writeSync').mockImplementation(() => {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  });
  const client = await connect(full);
  expect(await client.callText('look')).toBe('seen');
  disk.mockRestore();
  expect(await client.callText('look')).toBe('seen');
  await client.close();
  expect([logged, recorder.messages]).toEqual([['A listener to messages failed'], 0]);
  recorder.close();
  await full.close(0);
});

test('a message that is too long is noted, and the call has no answer', async () => {
  const file = fileFor('long');
  server.tools.add(reading('fill', () => 'x'.repeat(5_000_000)));
  await recorded(file, server, async (open) => (await open()).call('fill'));
  expect(statSync(file).size).toBeLessThan(100_000);
  expect(readFileSync(file, 'utf8')).toMatch(/"leftOut":5\d{6}/);
});

test('what ends after the recording has ended is not recorded', async () => {
  const file = fileFor('ended');
  await greet(file, '2026-07-28');
  const before = readFileSync(file, 'utf8');
  const client = await connect(server);
  await client.call('greet', { who: 'Eve' });
  await client.close();
  expect(readFileSync(file, 'utf8')).toBe(before);
});

test.each([
  ['', 'is empty'],
  ['{"name":"my-app"}\n', 'is no recording'],
  ['{"recording":2,"server":{"name":"a","version":"1"}}\n', 'has format 2'],
  ['{"recording":1,"server":{"name":"a","version":"1"},"began":0}\n{"at":1\n{"at":2}\n', 'Line 2 of'],
  ['{"recording":1,"server":{"name":"a","version":"1"},"began":0}\n[]\n', 'is no message'],
])('%j is refused in one line', async (text, words) => {
  const file = fileFor('broken');
  writeFileSync(file, text);
  const refusal = await readRecording(file).catch((error: Error) => error);
  expect(refusal).toMatchObject({ name: 'RecordingError', message: expect.stringContaining(words) });
  expect((refusal as Error).message).not.toContain('\n');
});

test('the line that a killed process was writing is left out', async () => {
  const file = fileFor('torn');
  await greet(file, '2026-07-28');
  const whole = await readRecording(file);
  writeFileSync(file, readFileSync(file, 'utf8').slice(0, -20));
  const torn = await readRecording(file);
  expect([torn.isTorn, torn.messages.length]).toEqual([true, whole.messages.length - 1]);
});

test('whatever a client sends can be recorded, read and joined', async () => {
  const anything = fc.oneof(
    fc.jsonValue(),
    fc.record(
      {
        id: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.string(), fc.constant(null)),
        method: fc.oneof(
          fc.constantFrom('tools/call', 'initialize', 'roots/list', '__proto__'),
          fc.integer(),
        ),
        params: fc.oneof(fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue())),
        result: fc.jsonValue(),
        error: fc.jsonValue(),
      },
      { requiredKeys: [] },
    ),
  );
  const file = fileFor('anything');
  const seen = fc.record({
    direction: fc.constantFrom('received' as const, 'sent' as const),
    channel: fc.constantFrom('a', 'b'),
    message: anything,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(seen, { maxLength: 12 }), async (all) => {
      const lines = new RecordingLines(0);
      const header = { recording: 1, server: { name: 'a', version: '1' }, began: 0 };
      const texts = all.map((each) => JSON.stringify(lines.of({ at: 1, transport: 'http', ...each })));
      writeFileSync(file, [JSON.stringify(header), ...texts, ''].join('\n'));
      const { messages } = await readRecording(file);
      expect(messages).toHaveLength(all.length);
      for (const call of keptCalls(messages).calls) expect(() => reasonToLeave(call)).not.toThrow();
    }),
    { numRuns: 300, seed: 65 },
  );
});
