import { connect } from '@toolwright/client';
import type { McpServer } from '@toolwright/core';
import { commands, type ReplayConsole, type ReplayedServer } from '../src/commands.js';
import { makePlace, reading, recorded, serverWith } from './support/recorded.js';

const place = makePlace();
afterAll(() => place.remove());
const [, replayCommand] = commands;

let server: McpServer;
let lines: string[];
beforeEach(async () => {
  lines = [];
  server = await serverWith('1.0.0', [reading('who', (_args, ctx) => ctx.principal?.subject ?? 'nobody')]);
});
afterEach(() => server.close(0));

/** Runs the command against the server, in which a person is somebody only as this says. */
async function run(way: Partial<ReplayedServer>, values: Record<string, unknown> = {}, users: string[] = []) {
  const played: (string | undefined)[] = [];
  const reached: ReplayedServer = {
    hasOneUser: false,
    isSignedIn: false,
    testUsers: () => Promise.resolve(users),
    connect: (client, as) => {
      played.push(as);
      return connect(server, {
        ...client,
        ...(as !== undefined && { principal: { subject: as, scopes: [] } }),
      });
    },
    ...way,
  };
  const out = (text: string) => void lines.push(text);
  const terminal: ReplayConsole = {
    cwd: place.folder,
    out,
    err: out,
    json: (value) => out(JSON.stringify(value)),
    withServer: (_values, use) => use(reached),
  };
  const code = await replayCommand.run('calls.jsonl', values, terminal);
  return { code, played };
}

const record = (...subjects: (string | undefined)[]) =>
  recorded(place.file, server, async (open) => {
    for (const subject of subjects) {
      const client = await open(subject === undefined ? {} : { principal: { subject, scopes: [] } });
      await client.call('who');
    }
  });

test('an anonymous caller needs nobody', async () => {
  await record(undefined);
  expect(await run({})).toEqual({ code: 0, played: [undefined] });
});

test('a caller that is no test user is named, and another one is not played in its place', async () => {
  await record('ann', 'zoe');
  expect(await run({}, {}, ['ann', 'ben'])).toEqual({ code: 0, played: ['ann'] });
  expect(lines).toContain(
    '  1: zoe is not a test user of this server: sign in with --header and add --only zoe: who',
  );
});

test('on standard input and output one caller is played, and several are not', async () => {
  await record('ann', 'zoe');
  expect(await run({ hasOneUser: true })).toEqual({ code: 1, played: [] });
  expect(lines.join('\n')).toContain(
    'a server has one user, and the recording has 2: choose one with --only',
  );
  // The server knows nobody over it, so the answer differs.
  expect(await run({ hasOneUser: true }, { only: 'ann' })).toEqual({ code: 1, played: [undefined] });
});

test('a replay of nothing is not a success', async () => {
  await record('ann');
  expect((await run({}, { only: 'nobody' })).code).toBe(1);
  expect(lines[0]).toBe('Recorded pages 1.0.0, replayed nothing: 0 of 0 calls, 0 the same.');
});

test('what servers say cannot move the cursor of a terminal', async () => {
  server.tools.add(reading('paint', () => 'plain'));
  await recorded(place.file, server, async (open) => (await open()).call('paint'));
  server.tools.update('paint', { handler: () => '\u001b[2Jgone\u202e' });
  expect((await run({})).code).toBe(1);
  expect(['\u001b', '\u202e'].filter((each) => lines.join('').includes(each))).toEqual([]);
});

test('--json prints the report', async () => {
  await record('ann');
  await run({}, { json: true }, ['ann']);
  expect(JSON.parse(lines[0]!)).toMatchObject({
    counts: { calls: 1, replayed: 1, same: 1 },
    differing: [],
    left: [],
  });
});

test('a replay of next to nothing is not a success, and says so at once', async () => {
  await record('ann', 'zoe', 'max');
  expect((await run({}, {}, ['ann'])).code).toBe(1);
  expect(lines[0]).toContain(
    '1 of 3 calls, 1 the same. Too few: 1 compared, and at least 2 should be (--min).',
  );
  expect((await run({}, { min: '1' }, ['ann'])).code).toBe(0);
  expect((await run({}, { min: '0' }, [])).code).toBe(1);
  expect((await run({}, { min: 'many' }, ['ann'])).code).toBe(2);
});

test('answers with hidden values are not called the same', async () => {
  const inputSchema = {
    type: 'object',
    properties: { pin: { type: 'string', format: 'password' } },
  } as const;
  server.tools.add(reading('open', () => 'open', { inputSchema }));
  await recorded(place.file, server, async (open) => (await open()).call('open'));
  expect((await run({})).code).toBe(1);
  expect(lines[0]).toContain('1 of 1 call, 0 the same, 1 call could not be compared.');
});

test('a header and the name of one caller are a way to sign in', async () => {
  await record('ann', 'zoe');
  const header = { 'x-user': 'ann' };
  expect((await run({}, { only: 'ann', header })).played).toHaveLength(1);
  expect((await run({}, { header })).played).toHaveLength(0);
});
