import fc from 'fast-check';
import { count, runs } from '../../../.ci/test/support/proof.js';
import { mutated } from './support/mutations.js';
import { RevisionSchema } from './support/revision-schemas.js';
import { RunningApp } from './support/running-app.js';
import { legacySeeds, modernSeeds } from './support/seeds.js';

const RUNS = 600;

/** The definition that a method's result must fit, by revision where they differ. */
const results: Record<string, string> = {
  'server/discover': 'DiscoverResult',
  'tools/list': 'ListToolsResult',
  'prompts/list': 'ListPromptsResult',
  'resources/list': 'ListResourcesResult',
  'resources/templates/list': 'ListResourceTemplatesResult',
  'tools/call': 'CallToolResult',
  'prompts/get': 'GetPromptResult',
  'resources/read': 'ReadResourceResult',
  'completion/complete': 'CompleteResult',
  initialize: 'InitializeResult',
  ping: 'EmptyResult',
  'logging/setLevel': 'EmptyResult',
  'resources/subscribe': 'EmptyResult',
  'resources/unsubscribe': 'EmptyResult',
};

let app: RunningApp;
beforeAll(async () => {
  app = await RunningApp.start();
});
afterAll(() => app.stop());

interface Sent {
  body: string;
  headers: Record<string, string>;
}

async function send({ body, headers }: Sent): Promise<{ status: number; messages: any[] }> {
  const sent = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...headers,
  };
  const post = () => fetch(app.url, { method: 'POST', body, headers: sent });
  // A server may end a connection that was idle while the request was on its way. An answer to the bytes would be the same again.
  const response = await post().catch(post);
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  const stays = isStream && body.includes('"subscriptions/listen"');
  const text = stays ? await firstEvent(response) : await response.text();
  const parts = isStream
    ? [...text.matchAll(/^data: (.+)$/gm)].map(([, data]) => data!)
    : text === ''
      ? []
      : [text];
  return { status: response.status, messages: parts.map((part) => JSON.parse(part)) };
}

/** Bent the right way, the seed that is refused becomes a request for a stream, which stays until the client leaves. */
async function firstEvent(response: Response): Promise<string> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes('\n\n')) {
    const { value, done } = await reader.read();
    if (done) break;
    text += value;
  }
  await reader.cancel();
  return text;
}

function check(
  schema: RevisionSchema,
  method: unknown,
  { status, messages }: { status: number; messages: any[] },
): void {
  expect(status).toBeLessThan(500);
  for (const message of messages.flat()) {
    if ('method' in message) expect(schema.faults('ServerNotification', message)).toBe('');
    else if ('error' in message) checkError(schema, message);
    else checkResult(schema, method, message);
  }
}

/**
 * Revisions before 2025-11-25 want an id in every error, also where none could be read: there is nothing to give. An id that
 * a number does not hold is answered with null, as JSON-RPC 2.0 has it (section 5). The schemas have no null.
 */
function checkError(schema: RevisionSchema, { id, ...rest }: any): void {
  const message = id === null || id === undefined ? rest : { id, ...rest };
  if (schema.has('JSONRPCErrorResponse')) expect(schema.faults('JSONRPCErrorResponse', message)).toBe('');
  else expect(schema.faults('JSONRPCError', { id: 0, ...message })).toBe('');
  expect(JSON.stringify(message)).not.toContain('secret-canary');
}

function checkResult(schema: RevisionSchema, method: unknown, { result }: any): void {
  const asks = result.resultType === 'input_required';
  expect(schema.faults(asks ? 'InputRequiredResult' : results[method as string]!, result)).toBe('');
}

const header = fc.constantFrom(
  '',
  'x',
  '2026-07-28',
  '2025-11-25',
  'tools/call',
  'echo',
  '=?base64?eA==?=',
  '=?base64?!?=',
);
const headerChange = fc.option(
  fc.tuple(
    fc.constantFrom('mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-param-s', 'mcp-session-id'),
    header,
  ),
);

test('2026-07-28: whatever is bent about a request, the answer is in order', async () => {
  const schema = new RevisionSchema('2026-07-28');
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { elicitation: {}, sampling: {}, roots: {} },
    'io.modelcontextprotocol/logLevel': 'debug',
    progressToken: 1,
  };
  const request = fc
    .constantFrom(...modernSeeds)
    .chain(([method, params]) => mutated({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }));
  const stream = {
    jsonrpc: '2.0',
    id: 1,
    method: 'subscriptions/listen',
    params: { notifications: {}, _meta },
  };
  const property = fc.asyncProperty(request, headerChange, async (body: any, change) => {
    const headers: Record<string, string> = { 'mcp-protocol-version': '2026-07-28' };
    mirror(headers, body);
    if (change) headers[change[0]] = change[1];
    check(schema, body?.method, await send({ body: JSON.stringify(body) ?? '', headers }));
  });
  await fc.assert(property, { ...runs(RUNS), examples: [[stream, null]] });
  count('requests', runs(RUNS).numRuns);
});

/** The headers that a faithful client would send. */
function mirror(headers: Record<string, string>, body: any): void {
  const set = (name: string, value: unknown) => {
    if (typeof value === 'string' && /^[\x21-\x7e]*$/.test(value)) headers[name] = value;
  };
  set('mcp-method', body?.method);
  set('mcp-name', body?.params?.name ?? body?.params?.uri);
  const args = body?.params?.arguments;
  for (const [name, value] of [
    ['s', args?.s],
    ['n', args?.n],
    ['b', args?.b],
    ['t', args?.nested?.t],
  ]) {
    if (value !== undefined && value !== null) set(`mcp-param-${name}`, String(value));
  }
}

test.each(['2025-03-26', '2025-06-18', '2025-11-25'])(
  '%s: whatever is bent about a request, the answer is in order',
  async (revision) => {
    const schema = new RevisionSchema(revision);
    const clientInfo = { name: 'fuzz', version: '1' };
    const params = { protocolVersion: revision, capabilities: {}, clientInfo };
    const opened = await fetch(app.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }),
    });
    const session = opened.headers.get('mcp-session-id')!;
    const request = fc
      .constantFrom(...legacySeeds)
      .chain(([method, params]) =>
        mutated({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: { progressToken: 1 } } }),
      );
    const property = fc.asyncProperty(request, async (body: any) => {
      const headers = { 'mcp-session-id': session };
      check(schema, body?.method, await send({ body: JSON.stringify(body) ?? '', headers }));
    });
    await fc.assert(property, runs(RUNS));
    count('requests', runs(RUNS).numRuns);
  },
);

test('Whatever bytes come, they are answered', async () => {
  const property = fc.asyncProperty(
    fc.oneof(fc.json(), fc.string(), fc.string({ unit: 'binary' })),
    async (body) => {
      const { status } = await send({ body, headers: {} });
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
    },
  );
  await fc.assert(property, runs(RUNS));
  count('requests', runs(RUNS).numRuns);
});

test('The schemas that answers are checked against do refuse', () => {
  for (const revision of ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']) {
    expect(new RevisionSchema(revision).faults('CallToolResult', { content: [{ type: 'text' }] })).not.toBe(
      '',
    );
  }
});
