import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandValues, CountTokens, ToolInList } from '@toolwright/json';
import type { AuditEvent } from '@toolwright/core/ports';
import { Requests } from '../src/costs/requests.js';
import { shorter } from '../src/costs/shorter.js';
import { shortLists } from '../src/costs/short-lists.js';
import { type AuditRecord, costsOf, openAuditSink, usageCommand } from '../src/index.js';
import { sampleEvent } from './sample-event.js';
import { temporaryLog } from './temporary-log.js';

const log = temporaryLog();

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const WEEK = 7 * 86_400_000;
const monday = Date.UTC(2026, 10, 23);

async function write(...events: Partial<AuditEvent>[]): Promise<void> {
  const sink = await openAuditSink({ file: log.file });
  for (const event of events) await sink.write(sampleEvent(event), 'strict');
  await sink.close();
}

/** A call that takes half a second and gives as many tokens. */
const call = (name: string, at: number, tokens = 0): Partial<AuditEvent> => ({
  name,
  time: monday + at,
  durationMs: 500,
  result: 'x'.repeat(4 * tokens),
});

const tool = (name: string, more: Partial<ToolInList> = {}): ToolInList => ({
  name,
  description: `Do ${name}.`,
  inputSchema: { type: 'object' },
  ...more,
});

const tools = (count: number) => Array.from({ length: count }, (_, at) => tool(`tool_${at}`));

/** Each tool takes 100 tokens of the list. */
const hundred: CountTokens = () => 100;

const costs = (list: readonly ToolInList[], count = hundred) =>
  costsOf({ file: log.file, tools: list, count });

async function changeOf(kind: string, list: readonly ToolInList[], count = hundred) {
  const { changes } = await costs(list, count);
  return changes.find((change) => change.kind === kind);
}

test('a request of a model is found behind each call, and calls at the same time have one', async () => {
  const program = { parent: 'call-0', program: 'ab' };
  await write(
    call('one', 0),
    // It began before the first one ended.
    { ...call('two', 200), durationMs: 400 },
    call('one', 10 * SECOND),
    // Somebody else, at the same time.
    { ...call('one', 10 * SECOND), principal: { subject: 'user-2' } },
    { ...call('one', 20 * SECOND), event: 'limited', outcome: 'limited', count: 3, durationMs: 0 },
    { ...call('one', 30 * SECOND, 50), ...program },
    { ...call('page://{id}', 40 * SECOND, 50), operation: 'resourceTemplate' },
  );
  expect(await costs([tool('one'), tool('two')])).toMatchObject({
    calls: 7,
    requests: 6,
    byWeek: [{ requests: 6, results: 0 }],
  });
});

test('of many callers the oldest are forgotten, and what they have read is not', () => {
  const requests = new Requests();
  const callOf = (at: number) => {
    const { subject, time } = { subject: `user-${at % 100_010}`, time: monday + at / 10 };
    return requests.add({
      time,
      principal: { subject },
      outcome: 'ok',
      result: { hmac: '', bytes: 1 },
    } as AuditRecord);
  };
  for (let at = 0; at < 100_010; at++) callOf(at);
  expect(requests.bytesOfEnds).toBe(100_010);
  // The first one is forgotten, so it begins anew; the last one goes on.
  expect(callOf(100_010)).toEqual({ requests: 1, programs: 1 });
  expect(callOf(200_019)).toEqual({ requests: 1, programs: 0 });
  expect(requests.bytesOfEnds).toBe(100_011);
});

test('the list is counted for each request and each result once, by tool and by week', async () => {
  await write(call('tool_0', 0, 300), call('gone', MINUTE, 50), call('tool_0', 2 * WEEK, 100));
  const { from, until, weeks, list, tokens, byWeek, tools: found, leftOut } = await costs(tools(2));
  expect({ from, until, weeks, list }).toEqual({
    from: monday,
    until: monday + 2 * WEEK,
    weeks: 2,
    list: 200,
  });
  expect(byWeek).toEqual([
    { week: '2026-W48', requests: 1, list: 200, results: 300 },
    { week: '2026-W50', requests: 1, list: 200, results: 100 },
  ]);
  expect(tokens).toBe((2 * 200 + 400) / 2);
  expect(found).toEqual([
    { name: 'tool_0', entry: 100, calls: 2, list: 100, results: 200 },
    { name: 'tool_1', entry: 100, calls: 0, list: 100, results: 0 },
    { name: 'gone', entry: 0, calls: 1, list: 0, results: 25 },
  ]);
  expect(leftOut).toEqual([
    '1 called tool with 1 call not in the list: gone. They have no part in the sums and in the advice. ' +
      'Give the list of the server that wrote the log.',
  ]);
});

describe('what is no part of what models read', () => {
  const ofPages = tool('pages_9', { _meta: { ui: { visibility: ['app'] } } } as object);
  const often = Array.from({ length: 60 }, (_, at) => call('pages_9', at * 5 * MINUTE, 5_000));

  test('tools that only pages see are not in the list, and their calls are not those of models', async () => {
    await write(...often, call('tool_0', 500 * MINUTE, 10));
    const { list, requests, calls, changes, leftOut, tools: found } = await costs([...tools(90), ofPages]);
    expect({ list, requests, calls }).toEqual({ list: 9_000, requests: 1, calls: 1 });
    expect(found.map(({ name }) => name)).not.toContain('pages_9');
    expect(changes.flatMap((change) => change.tools)).not.toContain('pages_9');
    expect(changes.find(({ kind }) => kind === 'output')).toBeUndefined();
    expect(leftOut).toEqual([
      expect.stringMatching(/^1 tool of the list \(pages_9\) can be called by pages only/),
    ]);
  });

  test('a list of another server gives no advice, and says which tools it lacks', async () => {
    const others = [0, 1, 2, 3, 4].map((at) => call(`other_${at}`, at * MINUTE, 9_000));
    await write(...Array.from({ length: 30 }, () => others).flat());
    const { changes, leftOut, requests } = await costs(tools(90));
    expect({ changes, requests }).toEqual({ changes: [], requests: 0 });
    expect(leftOut).toEqual([
      expect.stringMatching(
        /^No called tool is in the list. 5 called tools with 150 calls .*: other_0, other_1, other_2, and 2 more\./,
      ),
    ]);
  });

  test.each([
    ['whole', []],
    ['short', [tool('search_tools')]],
  ])('a refused name that is not in the list is no request, and no tool: a %s list', async (_, more) => {
    const refused = { event: 'denied', outcome: 'denied', durationMs: 0 } as const;
    await write(call('tool_0', 0), { ...call('made_up', 9 * MINUTE), ...refused });
    const { requests, calls, leftOut, tools: found } = await costs([...tools(1), ...more]);
    expect({ requests, calls, leftOut }).toEqual({ requests: 1, calls: 1, leftOut: [] });
    expect(found.map(({ name }) => name)).not.toContain('made_up');
  });

  test('a name that is twice in the list counts once', async () => {
    await write(call('tool_0', 0));
    const { list, tools: found } = await costs([...tools(2), tool('tool_0', { description: 'Again.' })]);
    expect({ list, names: found.map(({ name }) => name) }).toEqual({
      list: 200,
      names: ['tool_0', 'tool_1'],
    });
  });
});

describe('what would save most', () => {
  test('a search keeps the tools that are called often, and counts a search for each call of another one', async () => {
    const often = Array.from({ length: 100 }, (_, at) => call('tool_0', at * 5 * MINUTE));
    await write(...often, call('tool_1', 1_000 * MINUTE));
    const { tokens: own, found } = shortLists.search;
    const [before, after] = [101 * 5_000, (101 + 1) * (own + 100) + found * 100];
    expect(await changeOf('search', tools(50))).toMatchObject({
      tokens: before - after,
      percent: Math.round((100 * (before - after)) / before),
      requests: 1,
      tools: ['tool_0'],
      advice: expect.stringContaining('toolSearch: { pinned: ["tool_0"] }'),
    });
  });

  test('a program makes the calls of a chain, and gives as much as the last one', async () => {
    const chain = (at: number) => [
      call('tool_0', at, 5_000),
      call('tool_1', at + 2 * SECOND, 5_000),
      call('tool_2', at + 4 * SECOND, 10),
    ];
    await write(...chain(0), ...chain(10 * MINUTE));
    const own = shortLists.code.tokens + shortLists.code.declarations;
    const before = 6 * 3_000 + 20_020;
    expect(await changeOf('code', tools(30))).toMatchObject({
      tokens: before - 2 * (2 * own + 500) - 20,
      requests: -2,
    });
  });

  describe('each call that no program joins to others is a program of its own', () => {
    const own = shortLists.code.tokens + shortLists.code.declarations;
    const quick = (more: object = {}) =>
      Array.from({ length: 120 }, (_, at) => ({ ...call('tool_0', at * 2 * SECOND, 10), ...more }));
    const saved = (programs: number) => 120 * (7_000 + 10) - programs * (2 * own + 500 + 10);

    test.each([
      ['calls of one principal, as many as a program makes', {}, Math.ceil(120 / shortLists.code.calls)],
      ['calls without a principal', { principal: null }, 120],
      ['calls that failed', { outcome: 'error' }, 120],
    ])('%s', async (_, more, programs) => {
      await write(...quick(more));
      expect(await changeOf('code', tools(70))).toMatchObject({
        tokens: saved(programs),
        requests: 2 * programs - 120,
        condition: expect.stringContaining(`up to ${shortLists.code.calls} calls of one principal`),
      });
    });

    test('a call that failed ends a chain', async () => {
      const [first, failed, last] = [0, 2, 4].map((at) => call('tool_0', at * SECOND, 10));
      await write(first!, { ...failed!, outcome: 'timeout' }, last!);
      expect(await changeOf('code', tools(70))).toMatchObject({ requests: 2 * 3 - 3 });
    });
  });

  test('a budget leaves nine of ten results whole', async () => {
    const usual = Array.from({ length: 18 }, (_, at) => call('tool_0', at * MINUTE, 900));
    await write(...usual, call('tool_0', 20 * MINUTE, 50_000), call('tool_0', 21 * MINUTE, 30_000));
    expect(await changeOf('output', tools(1))).toMatchObject({
      tokens: 49_000 + 29_000,
      advice: expect.stringContaining('@MaxOutput({ tokens: 1000 }) on tool_0'),
    });
  });

  test('no budget comes of a few results, nor of failures', async () => {
    const failed = Array.from({ length: 20 }, (_, at) => ({
      ...call('tool_1', (30 + at) * MINUTE, at * 5_000),
      outcome: 'error',
    }));
    await write(call('tool_0', 0, 10), call('tool_0', MINUTE, 90_000), ...failed);
    expect(await changeOf('output', tools(2))).toBeUndefined();
  });

  test('less text in the largest tools saves with each request', async () => {
    const long = tool('tool_0', { description: `Do it.\n\n${'Or else. '.repeat(100)}` });
    await write(call('tool_0', 0), call('tool_0', MINUTE));
    const byLength: CountTokens = (text) => text.length;
    const cut = long.description!.length - 'Do it.'.length;
    // A line end is two characters of JSON, and so are two of them four.
    expect(await changeOf('shorter', [long, tool('tool_1')], byLength)).toMatchObject({
      tokens: 2 * (cut + 2),
      tools: ['tool_0'],
    });
  });

  test('three changes at most, those that save most first, and none that saves nothing', async () => {
    const many = Array.from({ length: 30 }, (_, at) =>
      call('tool_0', at * 2 * SECOND, at === 7 ? 9_000 : 10),
    );
    await write(...many);
    const long = tools(60).map((each) => ({ ...each, description: `Do it.\n\n${'Or else. '.repeat(40)}` }));
    const { changes, tokens: all } = await costsOf({ file: log.file, tools: long });
    expect(changes).toHaveLength(3);
    const saved = changes.map(({ tokens }) => tokens);
    expect(saved).toEqual([...saved].sort((a, b) => b - a));
    expect(saved.every((tokens) => tokens > 0 && tokens < all)).toBe(true);
  });

  test('a list that is short already is not replaced by another one', async () => {
    await write(...Array.from({ length: 9 }, (_, at) => call('tool_0', at * MINUTE, 100)));
    const kinds = (await costs([tool('search_tools'), ...tools(90)])).changes.map(({ kind }) => kind);
    expect(kinds).not.toEqual(expect.arrayContaining(['search']));
    expect(kinds).not.toEqual(expect.arrayContaining(['code']));
    expect(await changeOf('search', tools(90))).toBeDefined();
  });
});

test('a shorter tool has its first words, the definitions that it uses, and the outermost members of its result', () => {
  const given = tool('find', {
    description: '\nFind notes, e.g. old ones. Best first.\n\nReturns: notes.',
    inputSchema: {
      type: 'object',
      properties: {
        description: { type: 'string', description: 'A word, e.g. milk. More of them find less.' },
        sort: { type: 'string', description: 'By v1.2 or later' },
        shelf: { $ref: '#/$defs/Shelf' },
      },
      $defs: { Shelf: { $ref: '#/$defs/Room' }, Room: { type: 'string' }, Other: { type: 'string' } },
    },
    outputSchema: {
      type: 'object',
      properties: { notes: { type: 'array', items: { type: 'object', properties: {} } } },
      required: ['notes'],
    },
  });
  expect(shorter(given)).toEqual({
    ...given,
    description: 'Find notes, e.g. old ones. Best first.',
    inputSchema: {
      type: 'object',
      properties: {
        description: { type: 'string', description: 'A word, e.g. milk.' },
        sort: { type: 'string', description: 'By v1.2 or later' },
        shelf: { $ref: '#/$defs/Shelf' },
      },
      $defs: { Shelf: { $ref: '#/$defs/Room' }, Room: { type: 'string' } },
    },
    outputSchema: { type: 'object', properties: { notes: { type: 'array' } }, required: ['notes'] },
  });
});

describe('the command', () => {
  const run = async (values: CommandValues, countTokens?: () => Promise<CountTokens>) => {
    let [out, err] = ['', ''];
    const console = {
      out: (text: string) => void (out += text),
      err: (text: string) => void (err += text),
      interactive: false,
      ...(countTokens && { countTokens }),
    };
    return { code: await usageCommand.run(log.file, values, console), out, err };
  };
  const listFile = async (content: unknown) => {
    const file = join(log.directory, 'tools.json');
    await writeFile(file, JSON.stringify(content));
    return file;
  };

  test('prints tools, weeks, changes with their conditions, and what nobody can know', async () => {
    await write(...Array.from({ length: 40 }, (_, at) => call('tool_0', at * 5 * MINUTE, 100)));
    const { code, out } = await run({ tools: await listFile(tools(80)) }, () => Promise.resolve(hundred));
    expect(code).toBe(0);
    const lines = out.split('\n').map((line) => line.replace(/ +/g, ' '));
    expect(lines).toContain('tool_0 100 40 4,000 4,000');
    expect(lines).toContain('2026-W48 40 320,000 4,000');
    expect(out).toContain('list of 8,000 tokens (o200k)');
    expect(out).toMatch(/^1\. [\d,]+ tokens a week less \(\d+ %\): Add @toolwright\/search/m);
    expect(out).toContain('   If each call of a tool that is not pinned');
    expect(out).toContain('- Requests of models that called no tool.');
  });

  test('takes an answer to tools/list too, and prints JSON', async () => {
    await write(call('tool_0', 0, 100));
    const list = tools(2);
    const { out } = await run({ tools: await listFile({ result: { tools: list } }), json: true });
    expect(JSON.parse(out)).toEqual({
      counted: 'four bytes a token',
      ...(await costsOf({ file: log.file, tools: list })),
    });
  });

  test('says that nothing was found', async () => {
    await write({ operation: 'prompt' });
    expect((await run({ tools: await listFile(tools(1)) })).out).toBe(
      'The log has no such calls of tools.\n',
    );
  });

  test('says what a line without an entry means, and what is left out', async () => {
    await write(call('gone\u202e', 0, 100));
    const { code, out } = await run({ tools: await listFile(tools(2)) });
    expect(code).toBe(0);
    expect(out).toContain('-: the tool is not in the list.');
    expect(out).toContain('No called tool is in the list. 1 called tool with 1 call not in the list: gone');
    expect(out).not.toContain('\u202e');
    expect(out).not.toContain('requests of models');
  });

  test('a file without tools, or an option for single tools, ends with 2 and one line', async () => {
    await write(call('tool_0', 0));
    const wrong = await listFile({ tools: [{ name: 'no schema' }] });
    expect(await run({ tools: wrong })).toEqual({
      code: 2,
      out: '',
      err: `--tools ${wrong}: it has no list of tools, as toolwright list --json prints it.\n`,
    });
    expect(await run({ tools: `${log.file}.none` })).toMatchObject({ code: 2, out: '' });
    const right = await listFile(tools(1));
    expect((await run({ tools: right, by: 'client' })).err).toBe(
      '--by does not go with --tools: all tools share one list.\n',
    );
  });
});
