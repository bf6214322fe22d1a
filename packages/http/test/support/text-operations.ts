import { ProtocolError, ToolError, type McpServer } from '@toolwright/core';
import { findHiddenText } from '@toolwright/json';

/** A request, and where the texts are in what it brings. */
export interface Way {
  readonly name: string;
  readonly method: string;
  readonly params: Record<string, unknown>;
  /** Which of the texts it brings. Default: all. */
  readonly only?: (texts: readonly string[]) => readonly string[];
  /** The texts in the answer and in the messages before it: a list, or all of them as one. */
  find(result: any, messages: readonly any[]): unknown;
}

const empty = { type: 'object', properties: {} } as const;
const list = { type: 'array', items: { type: 'string' } } as const;

/** Adds an operation for each way on which a text leaves. All give the same texts. */
export function addTextOperations(server: McpServer, texts: readonly string[]): void {
  const { tools, resources, resourceTemplates, prompts } = server;
  const add = (name: string, handler: Parameters<typeof tools.add>[0]['handler'], rest = {}) =>
    tools.add({ name, description: 'Gives texts.', inputSchema: empty, handler, ...rest });
  const all = texts.join('');
  add('text', () => all);
  add('blocks', () => ({ content: texts.map((text) => ({ type: 'text', text })) }));
  add('data', () => ({ list: texts }), { outputSchema: { type: 'object', properties: { list } } });
  add('names', () => Object.fromEntries(texts.map((text, index) => [`${index} ${text}`, index])), {
    outputSchema: { type: 'object', additionalProperties: { type: 'number' } },
  });
  add('untyped', () => ({ list: texts }), { outputSchema: {} });
  add('fails', () => {
    throw new ToolError(all);
  });
  add('protocol_error', () => {
    throw new ProtocolError(-32050, all, { list: texts });
  });
  add('progress', (_args, context) => {
    // Reports that come too fast are joined.
    context.progress(1, 2, all);
    return 'done';
  });
  add('log', (_args, context) => {
    for (const text of texts) context.log.error(text);
    return 'done';
  });
  add('task', () => all, { task: 'optional' });
  add('echo', ({ value }) => ({ value }), { inputSchema: { type: 'object', properties: { value: {} } } });
  listed(texts).forEach((description, index) => {
    tools.add({ name: `t${index}`, description, inputSchema: listedSchema(description), handler: () => 'x' });
    prompts.add({ name: `p${index}`, description, handler: () => description });
    resources.add({ name: `r${index}`, uri: `text://${index}`, description, handler: () => description });
  });
  resources.add({ name: 'all', uri: 'text://all', handler: () => ({ list: texts }) });
  resourceTemplates.add({
    name: 'page',
    uriTemplate: 'text://pages/{id}',
    complete: { id: () => atMost100(texts) },
    handler: () => all,
  });
}

/** The protocol allows no more values of a completion. */
const atMost100 = (texts: readonly string[]) => texts.slice(0, 100);

/** A text as a choice, as a default and in words of an argument. */
const listedSchema = (text: string) =>
  ({
    type: 'object',
    properties: { value: { type: 'string', description: text, enum: [text, 'other'], default: text } },
  }) as const;

/** A server with hidden characters in what it publishes does not start. */
const listed = (texts: readonly string[]) => texts.filter((text) => findHiddenText({ text }).length === 0);

const call = (name: string, find: Way['find']): Way => ({
  name,
  method: 'tools/call',
  params: { name, arguments: {} },
  find,
});
const textOf = ({ content }: any) => content[0].text;
const descriptionsIn = (members: readonly any[]) =>
  members.flatMap(({ description }) => (description === undefined ? [] : [description]));

/** Every way but tasks, which take several requests. */
export const ways: readonly Way[] = [
  call('text', textOf),
  call('blocks', ({ content }) => content.map(({ text }: any) => text)),
  call(
    'data',
    ({ structuredContent, content }) => structuredContent?.list ?? JSON.parse(textOf({ content })).list,
  ),
  call('names', ({ structuredContent, content }) =>
    Object.keys(structuredContent ?? JSON.parse(textOf({ content }))).map((key) => key.replace(/^\d+ /, '')),
  ),
  call('untyped', ({ content }) => JSON.parse(textOf({ content })).list),
  call('fails', textOf),
  {
    name: 'protocol_error',
    method: 'tools/call',
    params: { name: 'protocol_error', arguments: {} },
    only: (texts) => [texts.join(''), ...texts],
    find: (_result, messages) => [messages.at(-1).error.message, ...messages.at(-1).error.data.list],
  },
  {
    name: 'list of tools',
    method: 'tools/list',
    params: {},
    only: listed,
    find: ({ tools }) =>
      tools
        .filter(({ name }: any) => /^t\d+$/.test(name))
        .map(({ inputSchema: { properties } }: any) => properties.value.enum[0]),
  },
  call(
    'progress',
    (_result, messages) => messages.find(({ method }) => method === 'notifications/progress').params.message,
  ),
  call('log', (_result, messages) =>
    messages.filter(({ method }) => method === 'notifications/message').map(({ params }) => params.data),
  ),
  {
    name: 'list of prompts',
    method: 'prompts/list',
    params: {},
    only: listed,
    find: ({ prompts }) => descriptionsIn(prompts),
  },
  {
    name: 'list of resources',
    method: 'resources/list',
    params: {},
    only: listed,
    find: ({ resources }) => descriptionsIn(resources),
  },
  {
    name: 'resource',
    method: 'resources/read',
    params: { uri: 'text://pages/1' },
    find: ({ contents }) => contents[0].text,
  },
  {
    name: 'resource of data',
    method: 'resources/read',
    params: { uri: 'text://all' },
    find: ({ contents }) => JSON.parse(contents[0].text).list,
  },
  {
    name: 'prompt',
    method: 'prompts/get',
    params: { name: 'p0' },
    only: (texts) => listed(texts).slice(0, 1),
    find: ({ messages }) => [messages[0].content.text],
  },
  {
    name: 'completion',
    method: 'completion/complete',
    params: { ref: { type: 'ref/resource', uri: 'text://pages/{id}' }, argument: { name: 'id', value: '' } },
    only: atMost100,
    find: ({ completion }) => completion.values,
  },
];
