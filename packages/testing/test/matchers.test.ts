import { createMcpServer, ToolError, type McpServer } from '@toolwright/core';
import { connect, matchers, type McpClient } from '../src/index.js';

expect.extend(matchers);

let server: McpServer;
let client: McpClient;

beforeAll(async () => {
  server = await createMcpServer({ name: 'notes', version: '1', services: [] });
  const outputSchema = {
    type: 'object',
    properties: { count: { type: 'integer', minimum: 0 } },
    required: ['count'],
  };
  server.tools.add({ name: 'count', description: 'Counts.', outputSchema, handler: () => ({ count: 3 }) });
  server.tools.add({ name: 'talk', description: 'Talks.', handler: () => 'words' });
  server.tools.add({
    name: 'fail',
    description: 'Fails.',
    handler: () => {
      throw new ToolError('No page has the id 7.');
    },
  });
  client = await connect(server);
});

afterAll(() => server.close());

/** The message of a failing expectation. */
async function complaint(expectation: () => unknown): Promise<string> {
  try {
    await expectation();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('The expectation was met.');
}

describe('toBeToolError', () => {
  test('passes for an error, with any text, a part of its text or a pattern', async () => {
    const result = await client.call('fail');
    expect(result).toBeToolError();
    expect(result).toBeToolError('id 7');
    expect(result).toBeToolError(/^No page/);
    expect(result).not.toBeToolError('id 8');
  });

  test('fails for a success, and shows the result', async () => {
    const result = await client.call('talk');
    expect(result).not.toBeToolError();
    expect(await complaint(() => expect(result).toBeToolError('words'))).toMatch(
      /Expected a tool error saying 'words', but received .*words/s,
    );
  });

  test('fails for an error with another text, and shows that text', async () => {
    const result = await client.call('fail');
    expect(await complaint(() => expect(result).toBeToolError(/gone/))).toBe(
      "Expected a tool error saying /gone/, but received an error saying 'No page has the id 7.'.",
    );
    expect(await complaint(() => expect(result).not.toBeToolError())).toMatch(
      /^Expected anything but a tool error/,
    );
  });

  test('fails for a value that is no result', async () => {
    expect(await complaint(() => expect(undefined).toBeToolError())).toMatch(/received undefined/);
  });
});

describe('toMatchOutputSchema', () => {
  test('passes for structured content that fits the published schema', async () => {
    await expect(client.call('count')).resolves.toMatchOutputSchema();
  });

  test('uses another schema if one is given', async () => {
    const result = { content: [], structuredContent: { count: -1 } };
    await expect(result).toMatchOutputSchema({ type: 'object' });
    expect(
      await complaint(() => expect(result).toMatchOutputSchema({ properties: { count: { minimum: 0 } } })),
    ).toMatch(/structuredContent\/count: expected a number, at least 0, received the number -1/);
  });

  test('fails for an error and for a result without structured content', async () => {
    const schema = { type: 'object' };
    expect(
      await complaint(async () => expect(await client.call('fail')).toMatchOutputSchema(schema)),
    ).toMatch(/is an error/);
    expect(
      await complaint(async () => expect(await client.call('talk')).toMatchOutputSchema(schema)),
    ).toMatch(/has no structuredContent/);
  });

  test('says what is missing if there is no schema', async () => {
    expect(await complaint(() => expect({}).toMatchOutputSchema())).toMatch(/pass the schema/);
    expect(await complaint(async () => expect(await client.call('talk')).toMatchOutputSchema())).toMatch(
      /talk publishes no output schema/,
    );
  });
});
