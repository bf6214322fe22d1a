import { join } from 'node:path';
import { createMcpServer, type McpServer } from '@toolwright/core';
import { revisions } from '@toolwright/core/transport';
import type { Manifest } from '@toolwright/manifest';
import { buildManifest } from '@toolwright/schema-compiler';
import { connect } from '@toolwright/testing';
import { BookingTools } from './fixtures/questions/src/booking-tools.js';
import { problemsOf } from './support/booting.js';
import { RecordingLogger } from './support/recording-logger.js';

type Asked = Record<string, unknown>;

let manifest: Manifest;
let logger: RecordingLogger;
let server: McpServer;

beforeAll(async () => {
  const project = join(__dirname, 'fixtures/questions/tsconfig.json');
  const built = await buildManifest({ project });
  expect(built.diagnostics).toEqual([]);
  ({ manifest } = built);
});

const serve = async (given: Manifest) => {
  logger = new RecordingLogger();
  server = await createMcpServer({
    name: 'booking',
    version: '1',
    services: [BookingTools],
    manifest: given,
    logger,
  });
};
beforeEach(() => serve(manifest));
afterEach(() => server.close(0));

/** Calls a tool with a client that answers. Returns the text and the questions that the client got. */
async function ask(tool: string, answers: { content?: unknown; sample?: unknown }, options: object = {}) {
  const asked: Asked[] = [];
  const client = await connect(server, {
    elicit: (request: unknown) => {
      asked.push(request as Asked);
      return { action: 'accept', content: answers.content } as never;
    },
    sample: (request: unknown) => {
      asked.push(request as Asked);
      return { role: 'assistant', model: 'm', content: answers.sample } as never;
    },
    ...options,
  });
  const text = await client.callText(tool, tool === 'rate' ? { text: 'hm' } : {});
  return { text, asked };
}

describe.each(revisions.slice(2))('on %s', (revision) => {
  test('a form is made from the type, and its answer has that type', async () => {
    const content = { count: 2, on: '2026-01-02T00:00:00Z', extras: ['cake'], more: 'x' };
    const { text, asked } = await ask('book', { content }, { revision });
    expect(text).toBe('accept 2 true count,on,extras');
    expect(asked[0]).toMatchObject({
      message: 'Who comes?',
      requestedSchema: {
        type: 'object',
        properties: {
          count: { type: 'number', minimum: 1, maximum: 8, description: 'How many come.' },
          email: { type: 'string', format: 'email' },
          on: { type: 'string', format: 'date-time' },
          room: { type: 'string', enum: ['quiet', 'window'] },
          extras: { type: 'array', items: { type: 'string', enum: ['cake', 'flowers'] } },
        },
        required: ['count'],
      },
    });
    expect(asked[0]!['requestedSchema']).not.toHaveProperty('additionalProperties');
  });

  test('the type may come from the variable, the context may be destructured, and a class is a type', async () => {
    expect((await ask('inferred', { content: { ok: true } }, { revision })).text).toBe('true');
    expect((await ask('seat', { content: { side: 'a' } }, { revision })).text).toBe('true a 2');
  });

  test('a form that is written by hand is sent unchanged, and so is a request to a model', async () => {
    const sample = { type: 'text', text: 'hi' };
    const { text } = await ask('byHand', { content: { name: 'ann' }, sample }, { revision });
    expect(text).toBe(`ann ${JSON.stringify({ role: 'assistant', model: 'm', content: sample })}`);
  });

  test('a model that cannot call tools is told to write JSON', async () => {
    const sample = {
      type: 'text',
      text: 'Sure:\n```json\n{ "mood": "good", "since": "2020-01-01T00:00:00Z" }\n```',
    };
    const { text, asked } = await ask('mood', { sample }, { revision });
    expect(text).toBe('m good 2020');
    expect(asked[0]!['systemPrompt']).toContain('"enum":["good","bad"]');
    expect(asked[0]).not.toHaveProperty('tools');
  });

  test('a value that is no object is asked for inside an object', async () => {
    const { text, asked } = await ask(
      'rate',
      { sample: { type: 'text', text: '{"value": 7}' } },
      { revision },
    );
    expect(text).toBe('number 7');
    expect(asked[0]!['systemPrompt']).toMatch(/^You are strict\.\n\n.*"required":\["value"\]/s);
  });

  test.each([
    [
      'does not fit',
      '{"mood": "so so"}',
      /The answer to the question "mood" does not fit:\n- mood: expected/,
    ],
    ['is no JSON', 'good', /The answer to the question "mood" is not JSON/],
  ])('the error for an answer of a model that %s says so', async (_case, text, message) => {
    expect((await ask('mood', { sample: { type: 'text', text } }, { revision })).text).toMatch(message);
  });
});

test.each(revisions.slice(3))(
  'on %s a model that can call tools answers with a tool call',
  async (revision) => {
    const capabilities = { sampling: { tools: {} } };
    const sample = [{ type: 'tool_use', id: '1', name: 'answer', input: { mood: 'bad' } }];
    const { text, asked } = await ask('mood', { sample }, { revision, capabilities });
    expect(text).toBe('m bad undefined');
    expect(asked[0]).toMatchObject({
      tools: [{ name: 'answer', inputSchema: { type: 'object', required: ['mood'] } }],
      toolChoice: { mode: 'required' },
    });
    expect(asked[0]).not.toHaveProperty('systemPrompt');
  },
);

test('a date that does not exist is no answer to a form', async () => {
  const content = { on: '2026-02-31T00:00:00Z', count: 1 };
  expect((await ask('book', { content }, { revision: '2025-11-25' })).text).toBe(
    "The client's answer to elicitation/create does not fit what was asked.",
  );
});

test('a question that was not compiled is an error of the server, and its log says what to do', async () => {
  await server.close(0);
  const { questions: _, ...older } = manifest;
  await serve(older);
  expect((await ask('book', { content: { count: 1 } })).text).toMatch(/^Internal error/);
  expect((await ask('mood', { sample: { type: 'text', text: '{}' } })).text).toMatch(/^Internal error/);
  const heard = JSON.stringify(logger.lines, (_key, value: unknown) =>
    value instanceof Error ? value.message : value,
  );
  expect(heard).toContain('No build compiled the question \\"guests\\"');
  expect(heard).toContain('No build compiled the question \\"mood\\"');
});

test('a server does not start with a form whose pattern could take too long on an answer', async () => {
  const unsafe = structuredClone(manifest);
  const { schema } = unsafe.questions!['guests']!;
  unsafe.schemas[schema]!.properties!['email']!.pattern = '^(\\w+-?)+$';
  const problems = await problemsOf({ services: [BookingTools], manifest: unsafe });
  expect(problems).toEqual([
    expect.objectContaining({
      code: 'TW_PATTERN_UNSAFE',
      message: expect.stringContaining('In the answer to the question "guests", the pattern "^(\\\\w+-?)+$"'),
      location: expect.stringMatching(/booking-tools\.ts:\d+:\d+$/),
    }),
  ]);
});
