import { ConfigurationError } from '@toolwright/core';
import type { Manifest, ManifestEntry } from '@toolwright/manifest';
import { findHiddenInEntry, findHiddenInProblems } from './hidden-problems.js';

const location = { file: 'src/note-tools.ts', line: 3, column: 5 };
const entry = (changes: Partial<ManifestEntry>) =>
  ({ method: 'find', kinds: ['tool'], input: 'in', output: null, location, ...changes }) as ManifestEntry;
const manifest = (description: string) =>
  ({ schemas: { in: { type: 'object', properties: { query: { description } } } } }) as unknown as Manifest;

test.each([
  ['a description', entry({ description: 'Finds.\u200b' }), 'hides U+200B in its description.'],
  ['a title', entry({ title: 'Find\u{e0041}' }), 'hides U+E0041 in its title.'],
  ['an example', entry({ examples: ['find\u202e'] }), 'hides U+202E in its examples[0].'],
])('hidden characters are reported in %s', (_, each, message) => {
  expect(findHiddenInEntry(each, manifest('words'))).toEqual([
    { rule: 'hidden-unicode', severity: 'error', message, tool: 'find', location },
  ]);
});

test('they are reported in schemas, also for prompts and resources', () => {
  expect(findHiddenInEntry(entry({ kinds: ['prompt'] }), manifest('words\u200b'))).toEqual([
    {
      rule: 'hidden-unicode',
      severity: 'error',
      message: 'hides U+200B in its inputSchema.properties.query.description.',
      location,
    },
  ]);
});

test('emoji are not hidden characters', () => {
  expect(findHiddenInEntry(entry({ description: 'Returns notes 👩‍👩‍👧.' }), manifest('words'))).toEqual([]);
});

test('what exists only at run time is reported as the server reports it, and nothing twice', () => {
  const problem = (place: string) => ({
    code: 'TW_TEXT_HIDDEN' as const,
    message: `The tool "find" has the hidden character U+200B in its ${place}.`,
    fix: 'Remove it.',
    location: '/app/dist/a:b.js:7:9',
  });
  const known = findHiddenInEntry(entry({ title: 'a\u200b' }), manifest('words'));
  const error = new ConfigurationError([
    problem('title'),
    problem('annotations.title'),
    { code: 'TW_NAME_INVALID', message: 'x', fix: 'y' },
  ]);
  expect(findHiddenInProblems(error, known)).toEqual([
    {
      rule: 'hidden-unicode',
      severity: 'error',
      message: problem('annotations.title').message,
      location: { file: '/app/dist/a:b.js', line: 7, column: 9 },
    },
  ]);
});
