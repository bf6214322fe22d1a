import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../../.ci/test/support/temporary-folder.js';
import { commands } from '../../src/commands';

let folder: string;
beforeEach(() => (folder = temporaryFolder()));

const TOOLS = 'items-tools.ts';
const path = (name: string) => join(folder, 'api', name);
const read = (name: string) => readFileSync(path(name), 'utf8');

/** Imports an API whose operations have these parameters. */
function run(parameters: readonly string[], more: object = {}): Promise<number> {
  const item = { type: 'object', properties: { id: { type: 'string' }, name: { type: 'string' } } };
  const operation = (operationId: string) => ({
    operationId,
    tags: ['items'],
    parameters: parameters.map((name) => ({ name, in: 'query', schema: { type: 'string' } })),
    responses: { 200: { content: { 'application/json': { schema: item } } } },
  });
  const paths = { '/items': { get: operation('getItem'), post: operation('addItem') } };
  const document = { openapi: '3.1.0', info: { title: 'Any', version: '1' }, paths };
  writeFileSync(join(folder, 'api.json'), JSON.stringify(document));
  const console = { cwd: folder, out: () => undefined, err: () => undefined };
  return Promise.resolve(commands[0]!.run('api.json', { out: 'api', yes: true, ...more }, console));
}

/** Saves all texts of a folder as an editor does that has another form. */
function save(change: (text: string) => string, below = ''): void {
  for (const { name } of readdirSync(path(below), { withFileTypes: true }).filter((each) => each.isFile()))
    if (/\.(?:ts|txt)$/.test(name)) writeFileSync(path(join(below, name)), change(read(join(below, name))));
}

const withReturns = (text: string) => text.replaceAll('\n', '\r\n');
const withMark = (text: string) => `\ufeff${text}`;

describe.each<[string, (text: string) => string]>([
  ['CRLF', withReturns],
  ['a mark at the beginning', withMark],
  ['both', (text) => withMark(withReturns(text))],
])('files that an editor saved with %s', (_name, change) => {
  test('merge without a conflict, and keep their form', async () => {
    await run(['a']);
    save(change);
    expect(await run(['a'], { check: true })).toBe(0);
    expect(await run(['a', 'b'])).toBe(0);
    const saved = read(TOOLS);
    expect(saved).toContain('b');
    rmSync(path(''), { recursive: true });
    await run(['a', 'b']);
    expect(saved).toBe(change(read(TOOLS)));
  });

  test('merge as well where the kept texts have the same form, and an edit stays', async () => {
    await run(['a']);
    save((text) => change(text.replace('class ItemsTools', '/* mine */ class ItemsTools')));
    save(change, '.openapi');
    expect(await run(['a', 'b'])).toBe(0);
    expect(read(TOOLS)).toContain('/* mine */ class ItemsTools');
  });
});

test('a line that both changed is a conflict in the form of its file', async () => {
  await run(['a']);
  save((text) =>
    withReturns(text.replace('async getItem(', 'async mine(').replace('a?: string;', 'a?: Mine;')),
  );
  expect(await run(['c'])).toBe(3);
  const text = read(TOOLS);
  expect(text).toContain('<<<<<<< yours\r\n');
  expect(text.replaceAll('\r\n', '')).not.toContain('\n');
});
