import type { DeclaredOperation } from '@toolwright/core/checks';
import type { Manifest, ManifestEntry } from '@toolwright/manifest';
import { findDeclaredProblems, KnownProblems } from '../src/build/declared-problems.js';

/** A method of the class `Shelf`, on a line of its own. */
const entryOf = (method: string, more: Partial<ManifestEntry> = {}) =>
  ({
    key: `src/shelf.ts#Shelf.${method}`,
    class: 'src/shelf.ts#Shelf',
    method,
    location: { file: 'src/shelf.ts', line: 1, column: 1 },
    parameters: [],
    input: 'in',
    output: null,
    description: 'Finds books.',
    ...more,
  }) as unknown as ManifestEntry;

const manifestOf = (entries: ManifestEntry[]) =>
  ({
    schemas: { in: { type: 'object', properties: {}, additionalProperties: false } },
    $defs: {},
    entries,
  }) as unknown as Manifest;

const declared = (method: string, more: Partial<DeclaredOperation> = {}) =>
  ({
    key: `src/shelf.ts#Shelf.${method}`,
    kind: 'tool',
    name: method,
    options: {},
    computed: [],
    ...more,
  }) as DeclaredOperation;

const right = { annotations: { readOnlyHint: true } };

interface Project {
  readonly manifest: Manifest;
  readonly operations: readonly DeclaredOperation[];
}

const project = (...operations: DeclaredOperation[]): Project => ({
  manifest: manifestOf([entryOf('find'), entryOf('keep')]),
  operations,
});

/** The projects of an afternoon, in the order in which somebody saves them. */
const edits: readonly [title: string, edited: Project, codes: readonly string[]][] = [
  ['two tools', project(declared('find', { options: right }), declared('keep')), []],
  ['the same again', project(declared('find', { options: right }), declared('keep')), []],
  ['one name twice', project(declared('find'), declared('keep', { name: 'find' })), ['TW_NAME_DUPLICATE']],
  [
    'one name twice, again',
    project(declared('find'), declared('keep', { name: 'find' })),
    ['TW_NAME_DUPLICATE'],
  ],
  [
    'a name with a blank',
    project(declared('find', { name: 'find books' }), declared('keep')),
    ['TW_NAME_INVALID'],
  ],
  [
    'a wrong option',
    project(declared('find', { options: { ttl: 3 } }), declared('keep')),
    ['TW_OPTION_INVALID'],
  ],
  [
    'a limit of null',
    project(declared('find', { options: { title: null } }), declared('keep')),
    ['TW_OPTION_INVALID'],
  ],
  [
    'what JSON cannot write',
    project(declared('find', { options: { title: 1n } }), declared('keep')),
    ['TW_OPTION_INVALID'],
  ],
  ['a name that nobody knows yet', project(declared('find', { name: undefined }), declared('keep')), []],
  ['a method that the manifest does not have', project(declared('lend'), declared('keep')), []],
  ['two tools, as at first', project(declared('find', { options: right }), declared('keep')), []],
];

test('what is kept between edits finds the same as a first look', () => {
  const known = new KnownProblems();
  for (const [title, { manifest, operations }] of edits) {
    const found = known.find(manifest, operations);
    expect([title, found]).toEqual([title, findDeclaredProblems(manifest, operations)]);
  }
});

test.each(edits)('%s', (_title, { manifest, operations }, codes) => {
  expect(findDeclaredProblems(manifest, operations).map(({ code }) => code)).toEqual(codes);
});

test('a schema that has changed is looked at again', () => {
  const known = new KnownProblems();
  const { manifest, operations } = project(declared('find'), declared('keep'));
  expect(known.find(manifest, operations)).toEqual([]);
  const changed = { ...manifest, schemas: { in: { type: 'string' } } } as unknown as Manifest;
  expect(known.find(changed, operations)).toEqual(findDeclaredProblems(changed, operations));
  expect(known.find(changed, operations)).not.toEqual([]);
});
