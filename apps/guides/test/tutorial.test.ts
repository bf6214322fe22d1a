import { join } from 'node:path';
import { LocalIssuer, json } from '../../../packages/http/test/support/local-issuer.js';
import { GuideApp, type RunningGuide } from './support/guide-app.js';
import { readPage } from './support/read-page.js';

// Each step compiles the app, and starts it.
const steps = readPage('tutorial.md').filter(({ heading }) => heading.startsWith('Step '));
let app: GuideApp;

beforeAll(() => {
  app = new GuideApp(JSON.parse(steps[0]!.json!) as object);
});

afterAll(() => app.remove());

/** Writes what the step writes, and builds it. */
function take(step: number): void {
  for (const { file, text } of steps[step - 1]!.files) app.write(`src/${file}`, text);
  app.build();
}

async function call(server: RunningGuide, name: string, args: object, token?: string) {
  const response = await fetch(server.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name,
        arguments: args,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'reader', version: '1.0.0' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as any };
}

test('the tutorial has six steps', () => {
  expect(steps.map(({ heading }) => heading.slice(0, 6))).toEqual(
    [1, 2, 3, 4, 5, 6].map((step) => `Step ${step}`),
  );
});

test('step 1 ends with a tool that answers', async () => {
  take(1);
  const server = await app.start();
  const { status, output } = app.run(
    'toolwright',
    'call',
    '--url',
    server.url,
    'find_notes',
    '--query',
    'Friday',
  );
  expect({ status, output }).toMatchObject({
    status: 0,
    output: expect.stringContaining('Friday is cake day.'),
  });
  expect(
    app.run('toolwright', 'call', '--url', server.url, 'find_notes', '--query', 'a', '--limit', '0').status,
  ).not.toBe(0);
  expect(await server.stop()).toBe(0);
});

test('step 2 ends with tools that add, find and delete', async () => {
  take(2);
  const server = await app.start();
  const { body } = await call(server, 'add_note', { text: 'Friday is cake day.' });
  expect(body.result.structuredContent).toEqual({
    id: 'n-1',
    text: 'Friday is cake day.',
    author: 'somebody',
  });
  expect((await call(server, 'delete_note', { id: 'n-1' })).body.result.isError).toBeFalsy();
  expect((await call(server, 'delete_note', { id: 'n-1' })).body.result).toMatchObject({
    isError: true,
    content: [{ text: 'No note has the id n-1.' }],
  });
  await server.stop();
});

test.each([3, 4])('the tests of step %d pass', (step) => {
  take(step);
  expect(app.test()).toMatchObject({ status: 0 });
});

test('step 5 ends with a server that is protected and audited', async () => {
  take(5);
  const issuer = await LocalIssuer.start();
  issuer.pages.set('/.well-known/oauth-authorization-server', json(issuer.metadata));
  const resource = 'http://127.0.0.1/mcp';
  const server = await app.start({ MCP_RESOURCE: resource, MCP_ISSUER: issuer.issuer });
  try {
    const anonymous = await call(server, 'find_notes', { query: 'Friday' });
    expect(anonymous.status).toBe(401);
    expect(anonymous.headers.get('www-authenticate')).toContain('resource_metadata=');

    const reader = await issuer.token({ aud: resource, scope: 'notes:read' });
    expect((await call(server, 'find_notes', { query: 'Friday' }, reader)).status).toBe(200);
    expect((await call(server, 'add_note', { text: 'Hello' }, reader)).status).toBe(403);

    const writer = await issuer.token({ aud: resource, scope: 'notes:read notes:write' });
    const { body } = await call(server, 'add_note', { text: 'Hello' }, writer);
    expect(body.result.structuredContent.author).toBe('ann');
  } finally {
    expect(await server.stop()).toBe(0);
    await issuer.close();
  }
  const log = join(app.folder, 'audit/notes.jsonl');
  const found = app.run('toolwright', 'audit', 'query', log, '--json').output;
  expect(found).toContain('"add_note"');
  expect(found).toContain('TW_INSUFFICIENT_SCOPE');
  expect(app.run('toolwright', 'audit', 'verify', log)).toMatchObject({
    status: 3,
    output: expect.stringContaining('CONSISTENT WITH ITSELF'),
  });
});
