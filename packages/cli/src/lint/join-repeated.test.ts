import type { LintedTool } from './lint-problem.js';
import { joinRepeated } from './join-repeated.js';
import { lintTool } from './tool-rules.js';

const text = { type: 'string', description: 'a text' };
const tool = (name: string, properties: LintedTool['input']['properties'], description = 'Returns it.') => ({
  name,
  description,
  output: {},
  location: { file: 'a.ts', line: 1, column: 1 },
  input: { type: 'object', properties: properties! },
  planned: { annotations: { readOnlyHint: true }, confirms: false },
});
const joined = (...tools: LintedTool[]) =>
  joinRepeated(tools.flatMap((one) => lintTool(one))).map(({ tool: name, message, alsoIn }) => ({
    name,
    message,
    ...(alsoIn && { alsoIn }),
  }));

test('a parameter that several tools share is one problem that names all of them', () => {
  const tools = ['read', 'write', 'move'].map((name) => tool(`${name}_file`, { path: text }));
  expect(joined(...tools)).toEqual([
    {
      name: 'read_file',
      message: 'path has no @maxLength, @pattern or @format; also in write_file, move_file.',
      alsoIn: ['write_file', 'move_file'],
    },
  ]);
});

test('parameters of one tool that lack the same are one problem', () => {
  expect(joined(tool('add_note', { title: text, body: text, size: { type: 'number' } }))).toEqual([
    { name: 'add_note', message: 'title, body have no @maxLength, @pattern or @format.' },
    { name: 'add_note', message: 'size has no description.' },
    { name: 'add_note', message: 'size has no @minimum or no @maximum.' },
  ]);
});

test('a problem names only tools that have the parameter', () => {
  expect(joined(tool('add_note', { title: text, body: text }), tool('find_note', { title: text }))).toEqual([
    {
      name: 'add_note',
      message: 'title has no @maxLength, @pattern or @format; also in find_note.',
      alsoIn: ['find_note'],
    },
    { name: 'add_note', message: 'body has no @maxLength, @pattern or @format.' },
  ]);
});

test('problems about a tool itself stay one for each tool', () => {
  const problems = joined(tool('add_note', {}, 'Add.'), tool('put_note', {}, 'Put.'));
  expect(problems.map(({ name }) => name)).toEqual(['add_note', 'put_note']);
});
