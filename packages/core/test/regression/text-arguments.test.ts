import { join } from 'node:path';
import { createMcpServer, type McpServer } from '@toolwright/core';
import type { Manifest } from '@toolwright/manifest';
import { buildManifest } from '@toolwright/schema-compiler';
import { silentLogger } from '@toolwright/core/ports';
import { TextTools, Words } from '../fixtures/texts/src/text-tools.js';
import { StatelessWire } from '../wire/stateless-wire.js';

let manifest: Manifest;
let server: McpServer;
let wire: StatelessWire;

beforeAll(async () => {
  const project = join(__dirname, '../fixtures/texts/tsconfig.json');
  ({ manifest } = await buildManifest({ project, cache: false }));
  server = await createMcpServer({
    name: 'test',
    version: '1',
    services: [TextTools],
    providers: [Words],
    manifest: () => manifest,
    logger: silentLogger,
  });
  wire = new StatelessWire(server);
});

afterAll(() => server.close(0));

const all = {
  count: '3',
  ratio: '0.5',
  flag: 'true',
  at: '2026-07-28T00:00:00Z',
  big: '12345678901234567890',
  kind: 'a',
  level: '2',
  size: '7',
  names: '["x","y"]',
};

const prompt = async (name: string, args: object) => {
  const { result, error } = await wire.request('prompts/get', { name, arguments: args });
  return error ? `${error.code} ${error.message}` : (result.messages[0].content.text as string);
};
const read = async (uri: string) => {
  const { result, error } = await wire.request('resources/read', { uri });
  return error ? `${error.code} ${error.message}` : (result.contents[0].text as string);
};

test('the arguments of a prompt have the types of its signature', async () => {
  expect(await prompt('all', all)).toBe(
    'count: number 3, ratio: number 0.5, flag: boolean true, at: Date 2026-07-28T00:00:00.000Z, ' +
      'big: bigint 12345678901234567890, kind: string a, level: number 2, size: number 7, names: Array x,y, ' +
      'limit: number 10',
  );
  expect(await prompt('all', { ...all, size: 'auto', names: 'x,y', limit: '2' })).toMatch(
    /size: string auto, names: Array x,y, limit: number 2$/,
  );
});

test.each([
  [{ count: 'three' }, 'count: expected an integer, received the string "three"'],
  [{ count: '1.5' }, 'count: expected an integer, received the number 1.5'],
  [{ count: '0x10' }, 'count: expected an integer, received the string "0x10"'],
  [{ flag: 'yes' }, 'flag: expected a boolean, received the string "yes"'],
  [{ at: 'soon' }, 'at: expected a date and time such as "2026-07-28T12:00:00Z", received the string "soon"'],
  [{ kind: 'zzz' }, 'kind: expected one of "a", "b", received the string "zzz"'],
  [{ level: '3' }, 'level: expected one of 1, 2, received the number 3'],
  [{ size: 'large' }, 'size: expected'],
  [{ limit: '0' }, 'limit: expected a number, at least 1, received the number 0'],
])('a prompt refuses invalid arguments: %j', async (wrong, message) => {
  const answer = await prompt('all', { ...all, ...wrong });
  expect(answer).toContain('-32602 Invalid arguments for all:');
  expect(answer).toContain(message);
});

test('an unknown argument of a prompt is refused, with the nearest name', async () => {
  expect(await prompt('all', { ...all, limt: '2' })).toMatch(
    /^-32602 Invalid arguments for all:.*limt: not a known property; .* Did you mean 'limit'\?/s,
  );
  expect(await prompt('turn', { page: '2', word: 'a', wrod: 'b' })).toContain("Did you mean 'word'?");
  server.prompts.add({ name: 'late', arguments: [{ name: 'topic' }], handler: ({ topic }) => String(topic) });
  expect(await prompt('late', { topic: 'tea' })).toBe('tea');
  expect(await prompt('late', { tpoic: 'tea' })).toContain("Did you mean 'topic'?");
  server.prompts.remove('late');
});

test('a prompt whose signature accepts any name gets all arguments', async () => {
  expect(await prompt('free', { ann: '3', bob: '4' })).toBe('ann: number 3, bob: number 4');
  expect(await prompt('free', { ann: '3', bob: 'many' })).toMatch(/^-32602 .*bob: expected an integer/s);
});

test('a DTO is built and validated', async () => {
  expect(await prompt('turn', { page: '2', word: 'Abc', at: '2026-07-28T00:00:00Z' })).toBe(
    'dto: boolean true, page: number 2, word: string Abc, at: Date 2026-07-28T00:00:00.000Z',
  );
  expect(await prompt('turn', { page: '2', word: '1' })).toContain(
    'word: word must be letters, received the string "1"',
  );
  expect(await prompt('turn', { page: '0', word: 'a' })).toMatch(/^-32602 .*at least 1/s);
});

test('the published arguments of a prompt stay as they were', async () => {
  const { result } = await wire.request('prompts/list');
  const { arguments: published } = result.prompts.find(({ name }: { name: string }) => name === 'all');
  expect(published).toContainEqual({ name: 'count', required: true });
  expect(published).toContainEqual({ name: 'limit', required: false });
});

test('the variables of a URI template have the types of the signature', async () => {
  expect(await read('page://3/')).toBe(
    'id: number 3, rows: number 5, tags: Array , kind: undefined undefined',
  );
  expect(await read('page://3/?rows=7&tags=1,2&kind=b')).toBe(
    'id: number 3, rows: number 7, tags: Array 1,2, kind: string b',
  );
  expect(await read('page://x/')).toMatch(/^-32602 .*id: expected an integer, received the string "x"/s);
  expect(await read('page://3/?tags=1,x')).toMatch(/^-32602 .*tags\[1\]: expected an integer/s);
  expect(await read('page://3/?kind=zzz')).toMatch(/^-32602 .*kind: expected one of "a", "b"/s);
});

test('a completion gets the known arguments that are valid', async () => {
  const ask = async (known: object) => {
    const { result } = await wire.request('completion/complete', {
      ref: { type: 'ref/prompt', name: 'guess' },
      argument: { name: 'word', value: '' },
      context: { arguments: known },
    });
    return JSON.parse(result.completion.values[0] as string) as unknown;
  };
  expect(await ask({ count: '3', kind: 'a' })).toEqual({ count: 3, kind: 'a' });
  expect(await ask({ count: 'x', kind: 'zzz' })).toEqual({});
});

test('an exploded variable of a list gives its items, and any other repeated variable matches nothing', async () => {
  expect(await read('tree://a/x/y%2Fz?rows=1&rows=2')).toBe(
    'kind: string a, path: Array x,y/z, rows: Array 1,2',
  );
  expect(await read('tree://a/x')).toBe('kind: string a, path: Array x, rows: Array ');
  expect(await read('tree://a/x?rows=1&rows=b')).toMatch(/^-32602 .*rows\[1\]: expected an integer/s);
  expect(await read('page://1/?rows=2&rows=3')).toMatch(/not found/);
});
