import type { LintedTool } from './lint-problem.js';
import { lintTool } from './tool-rules.js';

const good: LintedTool = {
  name: 'find_notes',
  description: 'Find notes. Returns the newest first.',
  input: {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'words to look for', maxLength: 100 },
      limit: { type: 'integer', description: 'how many at most', minimum: 1, maximum: 50 },
    },
  },
  output: { type: 'array', items: { type: 'string' } },
  location: { file: 'src/note-tools.ts', line: 3, column: 5 },
  planned: { annotations: { readOnlyHint: true }, confirms: false },
};

const parameter = (schema: LintedTool['input']): Partial<LintedTool> => ({
  input: { type: 'object', properties: { value: { description: 'a value', ...schema } } },
});

const rulesFor = (changes: Partial<LintedTool>) => lintTool({ ...good, ...changes }).map(({ rule }) => rule);

test('a good tool has no problems', () => {
  expect(lintTool(good)).toEqual([]);
});

test.each<[string, Partial<LintedTool>]>([
  ['tool-name', { name: 'find notes' }],
  ['tool-name', { name: `find_${'a'.repeat(60)}` }],
  ['verb-first', { name: 'notes_find' }],
  ['verb-first', { name: 'noteFinder' }],
  ['description-missing', { description: ' ' }],
  ['description-placeholder', { description: 'Find notes. Returns them. (Say here what your tool does.)' }],
  ['description-placeholder', { description: 'FIXME: Returns notes.' }],
  ['returns-missing', { description: 'Find notes.' }],
  ['parameter-description', { input: { properties: { on: { type: 'boolean' } } } }],
  ['number-unbounded', parameter({ type: 'number', minimum: 1 })],
  ['text-unbounded', { input: { properties: { paid: { type: 'string', description: 'what was paid' } } } }],
  ['text-unbounded', parameter({ type: 'string', minLength: 1 })],
  [
    'secret-unmarked',
    { input: { properties: { token: { type: 'string', description: 'who asks', maxLength: 99 } } } },
  ],
  ['annotations-missing', { planned: { annotations: {}, confirms: false } }],
  [
    'annotations-contradict',
    { planned: { annotations: { readOnlyHint: true, destructiveHint: true }, confirms: true } },
  ],
  ['destructive-unconfirmed', { planned: { annotations: { destructiveHint: true }, confirms: false } }],
])('%s is the only problem', (rule, changes) => {
  expect(rulesFor(changes)).toEqual([rule]);
});

test.each<[string, Partial<LintedTool>]>([
  [
    'a name may begin with the word that its description begins with',
    { name: 'frob', description: 'Frobs notes. Returns them.' },
  ],
  ['a tool may be about to-dos', { description: 'Find TODO comments. Returns their lines.' }],
  ['names are of any spelling', { name: 'findNotes' }],
  [
    'a tool that returns nothing need not say what',
    { name: 'forget_note', description: 'Forget a note.', output: null },
  ],
  ['one of some texts has its limits', parameter({ type: 'string', enum: ['a', 'b'] })],
  [
    'an id is passed on as it came, so it has no limits',
    {
      input: {
        type: 'object',
        properties: {
          id: { type: 'integer', description: 'which note' },
          pageId: { type: 'string', description: 'which page' },
          book_id: { type: 'string', description: 'which book' },
        },
      },
    },
  ],
  ['exclusive limits are limits', parameter({ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 })],
  ['who asks first may destroy', { planned: { annotations: { destructiveHint: true }, confirms: true } }],
])('%s', (_sentence, changes) => {
  expect(rulesFor(changes)).toEqual([]);
});

test('a condition that no list shows is named with its place, and a schema that lists keep is not mentioned', () => {
  const published = ({ input }: Pick<LintedTool, 'input'>) =>
    lintTool({ ...good, input }).flatMap(({ rule, message }) =>
      rule === 'published-weaker' ? [message] : [],
    );
  expect(published(good)).toEqual([]);
  const input = { ...good.input, if: { required: ['limit'] }, then: { required: ['query'] } };
  expect(published({ input })).toEqual([
    'lists leave out "if" of its arguments, because hosts refuse it. Say in the description what the server checks.',
  ]);
});
