import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { runInNewContext } from 'node:vm';
import { freePort } from '../../../.ci/test/support/free-port.js';
import { callTool } from './support/call-tool.js';
import { GuideApp } from './support/guide-app.js';
import { readPage, tutorialSettings } from './support/read-page.js';

// Each recipe is compiled, built and started.
const apps: GuideApp[] = [];

afterAll(() => apps.forEach((app) => app.remove()));

/** The files of a page, built. Where the page has no `main.ts`, it gets one of another page. */
function build(page: string, more: Record<string, string> = {}): GuideApp {
  const app = new GuideApp(tutorialSettings());
  apps.push(app);
  const files = readPage(page).flatMap((part) => part.files);
  for (const [file, text] of Object.entries(more)) app.write(`src/${file}`, text);
  for (const { file, text } of files) app.write(`src/${file}`, text);
  app.build();
  return app;
}

const fileOf = (page: string, name: string) =>
  readPage(page)
    .flatMap(({ files }) => files)
    .find(({ file }) => file === name)!.text;

describe('the recipe for metrics', () => {
  let app: GuideApp;

  beforeAll(() => {
    app = build('recipes/metrics.md', { 'main.ts': fileOf('recipes/pm2.md', 'main.ts') });
  });

  test('Prometheus fetches the figures of a call', async () => {
    const port = await freePort();
    const server = await app.start({
      NODE_OPTIONS: '--import ./dist/prometheus.js',
      METRICS_PORT: String(port),
    });
    await callTool(server.url, ['count_notes']);
    const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(await server.stop()).toBe(0);
    expect(page).toMatch(
      /^mcp_server_operation_duration_count\{[^}]*gen_ai_tool_name="count_notes"[^}]*\} 1/m,
    );
    expect(page).toContain('toolwright_server_requests_active');
  });

  test('a collector gets the figures of a call', async () => {
    const posts: { path: string; body: string }[] = [];
    const collector = createServer((req, res) => {
      void textOf(req).then((body) => {
        posts.push({ path: req.url!, body });
        res.writeHead(200, { 'content-type': 'application/json' }).end('{}');
        collector.emit('figures');
      });
    }).listen(0, '127.0.0.1');
    await once(collector, 'listening');
    const { port } = collector.address() as AddressInfo;
    const server = await app.start({
      NODE_OPTIONS: '--import ./dist/otlp.js',
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_METRIC_EXPORT_INTERVAL: '1000',
    });
    await callTool(server.url, ['count_notes']);
    while (!posts.some(({ body }) => body.includes('count_notes'))) await once(collector, 'figures');
    expect(await server.stop()).toBe(0);
    collector.close();
    expect(posts[0]!.path).toBe('/v1/metrics');
    expect(posts.map(({ body }) => body).join()).toContain('mcp.server.operation.duration');
  });
});

test('the recipe for pino: the server and the tools write to one log', async () => {
  const app = build('recipes/pino.md');
  const lines: any[] = [];
  const server = await app.start({}, (line) => void lines.push(JSON.parse(line)));
  expect((await callTool(server.url, ['ship_order', { id: '7' }])).body.result.content[0].text).toBe(
    'Order 7 is on its way.',
  );
  const { body } = await callTool(server.url, ['ship_order', { id: 'broken' }]);
  expect(await server.stop()).toBe(0);
  expect(lines).toContainEqual(expect.objectContaining({ level: 30, msg: 'shipping an order', id: '7' }));
  const failed = lines.find(({ level }) => level === 50);
  expect(failed.err).toMatchObject({ type: 'Error', message: 'The warehouse answered with nonsense.' });
  expect(body.result.content[0].text).toContain(failed.reference);
  expect(JSON.stringify(body)).not.toContain('nonsense');
});

test('the recipe for PM2: the script says that it is ready, and ends on SIGINT before PM2 kills it', async () => {
  const app = build('recipes/pm2.md');
  const page = readFileSync(join(__dirname, '../../../docs/recipes/pm2.md'), 'utf8');
  const config = /^```js file=ecosystem\.config\.cjs\n([^]*?)^```$/m.exec(page)![1]!;
  const module = { exports: {} as any };
  runInNewContext(config, { module });
  const [settings] = module.exports.apps;
  expect(settings).toMatchObject({ exec_mode: 'fork', instances: 1, wait_ready: true });
  // The grace of serveHttp is 30 seconds.
  expect(settings.kill_timeout).toBeGreaterThan(30_000);
  const child = fork(join(app.folder, settings.script), {
    cwd: app.folder,
    env: { PATH: process.env['PATH'], ...settings.env, PORT: '0' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  expect((await once(child, 'message'))[0]).toBe('ready');
  child.kill('SIGINT');
  expect((await once(child, 'exit'))[0]).toBe(0);
});

test('the recipe for proxies: the public name is allowed, and each caller has its own limit', async () => {
  const server = await build('recipes/behind-a-proxy.md').start();
  const from = (forwarded: string, host = 'mcp.example.com') =>
    callTool(server.url, ['tell_time'], { host, 'x-forwarded-for': forwarded });
  const isRefused = async (forwarded: string) => (await from(forwarded)).body.result.isError === true;
  expect((await from('198.51.100.1', 'evil.example.com')).status).toBe(403);
  expect(await isRefused('198.51.100.1')).toBe(false);
  expect(await isRefused('198.51.100.1')).toBe(false);
  expect(await isRefused('198.51.100.1')).toBe(true);
  // The entry in front is what a caller wrote. It helps nobody.
  expect(await isRefused('203.0.113.9, 198.51.100.1')).toBe(true);
  expect(await isRefused('198.51.100.2')).toBe(false);
  expect(await server.stop()).toBe(0);
});

test('the recipe for uploads: a file is announced, sent once, and used by who announced it', async () => {
  const server = await build('recipes/uploads.md').start();
  const { id, url } = (await callTool(server.url, ['announce_upload'])).body.result.structuredContent;
  const put = async (to: string, body: string) => (await fetch(to, { method: 'PUT', body })).status;
  const count = async () => (await callTool(server.url, ['count_lines', { id }])).body.result;
  expect(await count()).toMatchObject({ isError: true });
  expect(await put(`${url.slice(0, -4)}AAAA`, 'a\n')).toBe(404);
  expect(await put(url, 'a'.repeat(21 * 1024 * 1024))).toBe(413);
  expect(await put(url, 'a\nb\nc\n')).toBe(201);
  expect(await put(url, 'other')).toBe(404);
  expect(await count()).toMatchObject({ structuredContent: { lines: 3 } });

  const exported = (await callTool(server.url, ['export_squares', { count: 200_000 }])).body.result;
  const [link] = exported.content;
  expect(link).toMatchObject({ type: 'resource_link', mimeType: 'text/csv' });
  const fetched = await fetch(link.uri);
  const csv = await fetched.text();
  expect([fetched.status, csv.length, csv.slice(0, 8)]).toEqual([200, link.size, '0,0\n1,1\n']);
  expect(csv.length).toBeGreaterThan(2 * 1024 * 1024);
  expect((await fetch(link.uri)).status).toBe(404);
  const sent = (await callTool(server.url, ['announce_upload'])).body.result.structuredContent;
  expect(await put(sent.url, 'secret\n')).toBe(201);
  expect((await fetch(sent.url)).status).toBe(404);
  expect(await server.stop()).toBe(0);
});

test('completion for each caller: the test of the guide passes', () => {
  const app = build('resources-and-prompts.md');
  const { status, output } = app.test();
  expect({ status, output }).toMatchObject({ status: 0 });
});

describe('the recipe for AWS Lambda', () => {
  let app: GuideApp;

  beforeAll(() => {
    app = build('recipes/lambda.md');
  });

  /** What the handler returns for each event, one after the other, as in one instance. */
  function invoke(
    ...events: object[]
  ): { statusCode: number; headers: Record<string, string>; body: string }[] {
    const script = `
      const { handler } = await import('./dist/handler.js');
      const answers = [];
      for (const event of ${JSON.stringify(events)}) answers.push(await handler(event));
      console.log(JSON.stringify(answers));`;
    const { stdout, stderr, error } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: app.folder,
      env: { PATH: process.env['PATH'], PUBLIC_HOST: 'dice.example.com' },
      encoding: 'utf8',
      timeout: 120_000,
    });
    expect([error, logged(stderr)]).toEqual([undefined, []]);
    return JSON.parse(stdout);
  }

  /** What it logs besides refusals of a Host. */
  const logged = (stderr: string) =>
    stderr.split('\n').filter((line) => line !== '' && !line.includes('This Host is not allowed'));

  const event = (http: { method: string; headers?: object; body?: string }) => ({
    rawPath: '/mcp',
    rawQueryString: '',
    headers: {
      host: 'dice.example.com',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...http.headers,
    },
    requestContext: { http: { method: http.method, sourceIp: '198.51.100.1' } },
    ...(http.body !== undefined && { body: http.body }),
    isBase64Encoded: false,
  });

  function stateless(method: string, params: object = {}, name?: string) {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const headers = {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(name !== undefined && { 'mcp-name': name }),
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } });
    return event({ method: 'POST', headers, body });
  }

  function stateful(method: string, params: object = {}) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    return event({ method: 'POST', headers: { 'mcp-protocol-version': '2025-06-18' }, body });
  }

  test('a tool is called on the newest revision, and on an older one without a session', () => {
    const newest = stateless('tools/call', { name: 'roll', arguments: {} }, 'roll');
    const answers = invoke(
      newest,
      { ...newest, body: Buffer.from(newest.body!).toString('base64'), isBase64Encoded: true },
      stateful('tools/call', { name: 'roll', arguments: {} }),
    );
    for (const { statusCode, body } of answers) {
      expect(statusCode).toBe(200);
      expect(JSON.parse(body).result.content[0].text).toMatch(/^[1-6]$/);
    }
  });

  test('the capabilities promise no changes, and a client that listens for them is refused at once', () => {
    const handshake = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'reader', version: '1.0.0' },
    };
    const [discovered, opened, listening, stream] = invoke(
      stateless('server/discover'),
      stateful('initialize', handshake),
      stateless('subscriptions/listen', { notifications: { toolsListChanged: true } }),
      event({ method: 'GET', headers: { accept: 'text/event-stream' } }),
    );
    for (const { body } of [discovered!, opened!])
      expect(JSON.parse(body).result.capabilities.tools).toEqual({});
    expect([listening!.statusCode, JSON.parse(listening!.body).error.code]).toEqual([404, -32601]);
    expect(stream!.statusCode).toBe(405);
  });

  test('another host is refused', () => {
    const wrong = event({ method: 'POST', headers: { host: 'evil.example.com' }, body: '{}' });
    expect(invoke(wrong)[0]!.statusCode).toBe(403);
  });
});
