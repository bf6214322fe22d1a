import { ToolError, type McpServer } from '@toolwright/core';

/** A text that somebody has cut in the middle of an emoji. */
export const HALF = 'cut \ud83d';
/** The same as others get it. */
export const WHOLE = 'cut \ufffd';

const text = { type: 'string' } as const;
const empty = { type: 'object', properties: {} } as const;

/** Adds operations that give half a surrogate pair in every way. */
export function addHalfPairs({ tools, resources, resourceTemplates, prompts }: McpServer): void {
  const add = (name: string, handler: Parameters<typeof tools.add>[0]['handler'], rest = {}) =>
    tools.add({ name, description: HALF, inputSchema: empty, handler, ...rest });
  add('text', () => HALF);
  add('long', () => HALF.repeat(1_000));
  add('blocks', () => ({ content: [{ type: 'text', text: HALF, _meta: { 'a.example/b': HALF } }] }));
  add('data', () => ({ a: HALF }), { outputSchema: { type: 'object', properties: { a: text } } });
  add('names', () => ({ [HALF]: 1 }), {
    outputSchema: { type: 'object', additionalProperties: { type: 'number' } },
  });
  add('any', () => ({ list: [{ [HALF]: HALF }] }), { outputSchema: {} });
  add('plain', () => ({ list: [{ [HALF]: HALF }] }));
  add('embedded', () => ({ type: 'resource', resource: { uri: 'note://one', text: HALF } }));
  add('fails', () => {
    throw new ToolError(HALF);
  });
  add('progress', (_args, context) => {
    context.progress(1, 2, HALF);
    return WHOLE;
  });
  add('log', (_args, context) => {
    context.log.error(HALF);
    return WHOLE;
  });
  add('task', () => HALF, { task: 'optional' });
  add('ask', async (_args, { elicit }) => {
    await elicit('a', {
      message: HALF,
      schema: { type: 'object', properties: { a: { ...text, title: HALF } } },
    });
    return WHOLE;
  });
  const about = { description: HALF };
  resources.add({ ...about, name: 'one', uri: 'note://one', handler: () => HALF });
  resources.add({ ...about, name: 'data', uri: 'note://data', handler: () => ({ [HALF]: HALF }) });
  resources.add({
    ...about,
    name: 'fails',
    uri: 'note://fails',
    handler: () => {
      throw new ToolError(HALF);
    },
  });
  resourceTemplates.add({
    ...about,
    name: 'page',
    uriTemplate: 'note://pages/{id}',
    complete: { id: () => [HALF] },
    handler: () => HALF,
  });
  prompts.add({ ...about, name: 'greet', handler: () => HALF });
}

type Params = Record<string, unknown>;

const read = (uri: string): readonly [string, Params] => ['resources/read', { uri }];

/** Requests whose answers have, or follow, one of these texts. */
export const halfPairRequests: readonly (readonly [method: string, params: Params])[] = [
  ...['tools', 'resources', 'resources/templates', 'prompts'].map((each) => [`${each}/list`, {}] as const),
  ...['text', 'long', 'blocks', 'data', 'names', 'any', 'plain', 'embedded', 'fails', 'progress', 'log'].map(
    (name) => ['tools/call', { name, arguments: {} }] as const,
  ),
  ...['one', 'data', 'fails', 'pages/1'].map((each) => read(`note://${each}`)),
  ['prompts/get', { name: 'greet' }],
  [
    'completion/complete',
    { ref: { type: 'ref/resource', uri: 'note://pages/{id}' }, argument: { name: 'id', value: '' } },
  ],
];

/** What stands for half a pair in what a person is asked, where it is written out. */
export const WRITTEN = 'cut \\\\u{d83d}';

/** Fails when a strict reader would refuse the text, which has come as UTF-8. */
export function expectWellFormed(sent: string, whole = WHOLE): void {
  expect(sent).toContain(whole);
  expect(sent).not.toMatch(/\\u(?:d[89a-f])/i);
}
