import type { JsonSchema } from '@toolwright/json';
import type { Directory, LintedTool } from '../lint-problem.js';
import { findUnmet } from './requirement.js';
import { toolRequirements } from './tool-requirements.js';

const good: LintedTool = {
  name: 'find_notes',
  title: 'Find notes',
  description: 'Find notes. Returns the newest first.',
  input: { type: 'object', properties: { query: { type: 'string' }, maxResults: { type: 'integer' } } },
  output: { type: 'array', items: { type: 'string' } },
  location: { file: 'src/note-tools.ts', line: 3, column: 5 },
  planned: {
    annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
    confirms: false,
  },
};

const unmet = (directory: Directory, changes: Partial<LintedTool>) =>
  findUnmet(toolRequirements, [directory], { ...good, ...changes }).map(({ rule }) => rule);
const hints = (annotations: Record<string, boolean>) => ({ planned: { annotations, confirms: false } });
const input = (properties: Record<string, JsonSchema>, more: JsonSchema = {}) => ({
  input: { type: 'object', properties, ...more },
});

test('a good tool meets the rules of every directory', () => {
  expect(findUnmet(toolRequirements, ['claude', 'chatgpt', 'registry'], good)).toEqual([]);
});

test('a problem names the directory, and the page that has the rule', () => {
  expect(findUnmet(toolRequirements, ['claude'], { ...good, name: 'a'.repeat(65) })).toEqual([
    {
      rule: 'directory-name',
      directory: 'claude',
      severity: 'error',
      source: 'https://claude.com/docs/connectors/building/review-criteria',
      message: 'its name has 65 characters, and 64 are allowed.',
    },
  ]);
});

const untitled = Object.fromEntries(Object.entries(good).filter(([name]) => name !== 'title'));
test('claude wants a title, which may stand in the annotations', () => {
  const found = (planned: LintedTool['planned']) =>
    findUnmet(toolRequirements, ['claude'], { ...(untitled as unknown as LintedTool), planned: planned! });
  expect(found(good.planned).map(({ rule }) => rule)).toEqual(['directory-title']);
  expect(found({ annotations: { title: 'Find', readOnlyHint: true }, confirms: false })).toEqual([]);
});

test.each<[Directory, string, Partial<LintedTool>]>([
  ['claude', 'directory-hints', hints({})],
  ['claude', 'directory-hints', hints({ readOnlyHint: false, destructiveHint: false })],
  ['claude', 'directory-hints', hints({ readOnlyHint: true, destructiveHint: true })],
  ['chatgpt', 'directory-hints', hints({ readOnlyHint: true, destructiveHint: false })],
  ['chatgpt', 'directory-hints', hints({ readOnlyHint: true, destructiveHint: true, openWorldHint: true })],
  ['chatgpt', 'directory-name', { name: 'find_best_notes' }],
  ['chatgpt', 'directory-name', { name: 'officialNotes' }],
  ['claude', 'directory-description', { description: 'é'.repeat(1025) }],
  ['claude', 'directory-result', input({ query: {}, stopWord: {} })],
  ['claude', 'directory-authentication', input({ apiKey: { type: 'string' }, limit: {} })],
  [
    'chatgpt',
    'directory-authentication',
    input({ login: { type: 'object', properties: { password: { type: 'string' } } } }),
  ],
])('%s: %s is the only problem', (directory, rule, changes) => {
  expect(unmet(directory, changes)).toEqual([rule]);
});

test.each<[string, Partial<LintedTool>]>([
  ['a token of a page is no credential', input({ pageToken: { type: 'string' } })],
  ['a list with a largest length needs no paging', { ...input({}), output: { type: 'array', maxItems: 9 } }],
  [
    'a list of words in a field is small',
    { ...input({}), output: { properties: { tags: { type: 'array' } } } },
  ],
  ['a best-seller list does not praise itself', { name: 'find_bestsellers' }],
  ['hints are unknown until the project is built', { planned: undefined as never }],
])('%s', (_sentence, changes) => {
  expect([...unmet('claude', changes), ...unmet('chatgpt', changes)]).toEqual([]);
});

const limit = { limit: { type: 'integer' } };
test.each<[string, Partial<LintedTool>]>([
  ['an enum of methods', input({ ...limit, how: { enum: ['GET', 'DELETE'] } })],
  ['an enum of actions', input({ ...limit, action: { enum: ['listPages', 'delete_page'] } })],
  [
    'an action with a name of its own',
    input({ ...limit, action: { $ref: '#/$defs/Act' } }, { $defs: { Act: { enum: ['get', 'set'] } } }),
  ],
  ['constants', input({ ...limit, mode: { anyOf: [{ const: 'read' }, { const: 'write' }] } })],
  [
    'alternatives of which each has one action',
    input({
      ...limit,
      request: {
        oneOf: [
          { properties: { action: { const: 'find' } } },
          { properties: { action: { const: 'remove' } } },
        ],
      },
    }),
  ],
  ['any method on any path', input({ ...limit, path: { type: 'string' }, method: { type: 'string' } })],
])('one tool must not read and write, by %s', (_how, changes) => {
  expect(unmet('claude', changes)).toEqual(['directory-read-write']);
  expect(unmet('chatgpt', changes)).toEqual(['directory-read-write']);
});

test.each<[string, Record<string, JsonSchema>]>([
  ['a permission chooses nothing', { permission: { enum: ['read', 'write'] } }],
  ['actions that all write are no mixture', { action: { enum: ['create', 'delete'] } }],
  ['a way to pay is no method of HTTP', { method: { type: 'string' } }],
])('%s', (_sentence, properties) => {
  expect(unmet('claude', input({ ...limit, ...properties }))).toEqual([]);
});
