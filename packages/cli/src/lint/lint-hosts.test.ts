import type { HostId } from '@toolwright/hosts';
import { hosts } from '@toolwright/hosts';
import { lintHosts } from './lint-hosts.js';
import type { LintedTool } from './lint-problem.js';

const location = { file: 'src/tools.ts', line: 7, column: 3 };
const tool = (name: string, ...keys: string[]): LintedTool => ({
  name,
  description: 'Reads.',
  output: null,
  location,
  input: { type: 'object', properties: Object.fromEntries(keys.map((key) => [key, { type: 'string' }])) },
});
const lint = (tools: LintedTool[], ...chosen: HostId[]) =>
  lintHosts({ name: 'notes', tools, onLaterPages: tools.slice(100) }, chosen);
const many = (count: number) => Array.from({ length: count }, (_, index) => tool(`read_${index}`));

test('each limit of a host has its source', () => {
  for (const { limits } of hosts)
    for (const { source } of Object.values(limits ?? {})) expect(source).toMatch(/^https:\/\//);
});

test('names of arguments that a host refuses are named with the place, the host, the source and the remedy', () => {
  const keys = ['uids[]', '$top', 'größe', 'a'.repeat(65), 'fine.one', 'a'.repeat(64)];
  const found = lint([tool('read_note', ...keys)], 'claude-code');
  expect(found.map(({ message }) => /"(.*?)"/.exec(message)![1])).toEqual(keys.slice(0, 4));
  expect(found[0]).toEqual({
    rule: 'host-key',
    severity: 'error',
    host: 'claude-code',
    tool: 'read_note',
    location,
    message:
      'Claude Code refuses its argument "uids[]": names have the form ^[a-zA-Z0-9_.-]{1,64}$. Rename it.',
    source: 'https://github.com/anthropics/claude-code/issues/34771',
  });
  expect(lint([tool('read_note', ...keys)], 'vscode')).toEqual([]);
});

test('choices that are no texts are found, also in alternatives and lists, for the host that refuses them', () => {
  const input = {
    type: 'object',
    properties: {
      level: { type: 'integer', enum: [1, 2, 4] },
      size: { anyOf: [{ type: 'number', const: 7.5 }, { type: 'null' }] },
      flags: { type: 'array', items: { type: 'boolean', enum: [true] } },
      unit: {
        anyOf: [
          { type: 'string', enum: ['mm', 'in'] },
          { type: 'null', enum: [null] },
        ],
      },
    },
  } as const;
  const judged = { ...tool('rate'), input } as unknown as LintedTool;
  const found = lint([judged], 'gemini');
  expect(found.map(({ message }) => /"(.*?)"/.exec(message)![1])).toEqual(['level', 'size', 'flags']);
  expect(found[0]).toMatchObject({ rule: 'host-choice', severity: 'error', host: 'gemini', tool: 'rate' });
  expect(lint([judged], 'claude-code')).toEqual([]);
});

test('names that a host takes for one are found on the second tool', () => {
  const found = lint([tool('get_user'), tool('get.user')], 'codex');
  expect(found.map(({ rule, tool, message }) => [rule, tool, message])).toEqual([
    [
      'host-name',
      'get.user',
      'Codex CLI shows it as get_user: its names have the form ^[a-zA-Z0-9_-]+$. Rename it.',
    ],
    [
      'host-same-name',
      'get.user',
      'Codex CLI takes it for get_user: both are get_user there. Rename one of them.',
    ],
  ]);
  expect(lint([tool('get_user'), tool('get.user')], 'gemini')).toEqual([]);
});

test('a host that refuses a name does not take it for another one', () => {
  expect(lint([tool('get_user'), tool('get.user')], 'cursor').map(({ message }) => message)).toEqual([
    'Cursor takes only names of the form ^[a-zA-Z0-9_-]+$. Rename it.',
    'it is get_user with _ for what Cursor refuses. Rename one of them so that they still differ.',
  ]);
});

test('a name counts with what the host writes before it', () => {
  expect(lint([tool('a'.repeat(55))], 'cursor')).toMatchObject([{ rule: 'host-name', host: 'cursor' }]);
  expect(lint([tool('a'.repeat(54))], 'cursor')).toEqual([]);
});

test('the first tool that a host does not see is named', () => {
  expect(lint(many(100), 'codex', 'windsurf')).toEqual([]);
  expect(lint(many(101), 'codex', 'claude-code', 'windsurf', 'vscode')).toMatchObject([
    { rule: 'host-tools', host: 'windsurf', tool: 'read_100' },
    { rule: 'host-tools', host: 'codex', tool: 'read_100', location },
  ]);
});
