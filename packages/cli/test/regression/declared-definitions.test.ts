import type { Manifest, ManifestEntry } from '@toolwright/manifest';
import { findDeclaredProblems } from '../../src/build/declared-problems.js';

const KEY = 'src/shelf.ts#Shelf.find';

const entry = {
  key: KEY,
  class: 'src/shelf.ts#Shelf',
  method: 'find',
  location: { file: 'src/shelf.ts', line: 1, column: 1 },
  parameters: [],
  input: 'in',
  output: 'out',
  description: 'Finds books.',
} as unknown as ManifestEntry;

const manifest = {
  schemas: {
    in: { type: 'object', properties: { like: { $ref: '#/$defs/Book' } }, additionalProperties: false },
    out: { type: 'array', items: { $ref: '#/$defs/Book' } },
  },
  $defs: { Book: { type: 'object', properties: { title: { type: 'string' } } } },
  entries: [entry],
} as unknown as Manifest;

test('the checks of a build know the types that tools share', () => {
  const declared = { key: KEY, kind: 'tool', name: 'find', options: {}, computed: [] } as const;
  expect(findDeclaredProblems(manifest, [declared]).map(({ message }) => message)).toEqual([]);
});
