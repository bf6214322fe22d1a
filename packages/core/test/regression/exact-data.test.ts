import { HiddenText, type McpServer } from '@toolwright/core';
import { boot } from '../support/booting.js';
import { StatelessWire } from '../wire/stateless-wire.js';

/**
 * Characters that real files contain: a byte order mark, form feeds, soft hyphens, joiners, flags, terminal
 * colours.
 */
const file =
  '\ufeffchapter\f soft\u00adhyphen 👩‍👩‍👧 می\u200cخواهم\u0000 \u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}';
const coloured = `${file} \u001b[31mred\u001b[0m \u202eend`;

describe('a file that is read and written back stays the same', () => {
  let server: McpServer;
  let wire: StatelessWire;
  let written: unknown;
  beforeEach(async () => {
    server = await boot({ services: [] });
    wire = new StatelessWire(server);
    const inputSchema = { type: 'object', properties: { content: { type: 'string' } } };
    const write = ({ content }: Record<string, unknown>) => ((written = content), 'written');
    server.tools.add({ name: 'write', description: 'x', inputSchema, handler: write });
  });
  afterEach(() => server.close(0));

  const writeBack = async (content: unknown) => {
    await wire.call('write', { content });
    return written;
  };

  test('as text', async () => {
    server.tools.add({ name: 'read', description: 'x', handler: () => file });
    const { result } = await wire.call('read');
    expect(await writeBack(result.content[0].text)).toBe(file);
  });

  test('as structured content, terminal escapes included, and as the JSON beside it', async () => {
    const outputSchema = { type: 'object', properties: { content: { type: 'string' } } };
    server.tools.add({
      name: 'read',
      description: 'x',
      outputSchema,
      handler: () => ({ content: coloured }),
    });
    const { result } = await wire.call('read');
    expect(await writeBack(result.structuredContent.content)).toBe(coloured);
    expect(JSON.parse(result.content[0].text)).toEqual({ content: coloured });
  });

  test('as text with terminal escapes, if the tool says so', async () => {
    const policies = [HiddenText.entry('keep')];
    server.tools.add({ name: 'read', description: 'x', policies, handler: () => coloured });
    server.tools.add({ name: 'guarded', description: 'x', handler: () => coloured });
    expect(await writeBack((await wire.call('read')).result.content[0].text)).toBe(coloured);
    expect((await wire.call('guarded')).result.content[0].text).toBe(
      `${file} \\u{1b}[31mred\\u{1b}[0m \\u{202e}end`,
    );
  });

  test('as a resource', async () => {
    server.resources.add({ uri: 'file:///a', name: 'a', handler: () => coloured });
    const { result } = await wire.request('resources/read', { uri: 'file:///a' });
    expect(await writeBack(result.contents[0].text)).toBe(coloured);
  });
});

describe('text that a tool shows to people is cleaned like its results', () => {
  const capabilities = { elicitation: {}, sampling: {} };

  test('the message of a question, and its whole form', async () => {
    const server = await boot({ services: [] });
    server.tools.add({
      name: 'ask',
      description: 'x',
      handler: async (_, ctx) => {
        await ctx.elicit('sure', {
          message: 'Delete\u202e it?\u001b[8m',
          schema: {
            type: 'object',
            properties: {
              a: {
                type: 'string',
                title: 'A\u{e0041}',
                description: 'which\u001b[0m',
                oneOf: [{ const: 'b', title: 'B\u202e' }],
              },
            },
          },
        });
      },
    });
    const { result } = await new StatelessWire(server, undefined, capabilities).call('ask');
    expect(result.inputRequests.sure.params).toEqual({
      message: 'Delete\\u{202e} it?\\u{1b}[8m',
      requestedSchema: {
        type: 'object',
        properties: {
          a: {
            type: 'string',
            title: 'A\\u{e0041}',
            description: 'which\\u{1b}[0m',
            oneOf: [{ const: 'b', title: 'B\\u{202e}' }],
          },
        },
      },
    });
    await server.close(0);
  });

  test('requests to the client’s model, and completions', async () => {
    const server = await boot({ services: [] });
    server.tools.add({
      name: 'ask',
      description: 'x',
      handler: (_, ctx) =>
        ctx.sample('poem', {
          messages: [{ role: 'user', content: { type: 'text', text: 'A poem\u{e0041}' } }],
          systemPrompt: 'Rhyme.\u202e',
          maxTokens: 10,
        }),
    });
    server.prompts.add({
      name: 'plan',
      arguments: [{ name: 'city' }],
      complete: { city: () => ['Bern\u{e0041}'] },
      handler: () => 'x',
    });
    const wire = new StatelessWire(server, undefined, capabilities);
    expect((await wire.call('ask')).result.inputRequests.poem.params).toEqual({
      messages: [{ role: 'user', content: { type: 'text', text: 'A poem\\u{e0041}' } }],
      systemPrompt: 'Rhyme.\\u{202e}',
      maxTokens: 10,
    });
    const { result } = await wire.request('completion/complete', {
      ref: { type: 'ref/prompt', name: 'plan' },
      argument: { name: 'city', value: '' },
    });
    expect(result.completion.values).toEqual(['Bern\\u{e0041}']);
    await server.close(0);
  });
});
