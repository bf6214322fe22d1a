import { callTool } from './support/call-tool.js';
import { GuideApp, type RunningGuide } from './support/guide-app.js';
import { readPage, tutorialSettings } from './support/read-page.js';

const tools = `
import { once } from 'node:events';
import { McpService, McpTool } from '@toolwright/core';

@McpService()
export class StrayTools {
  /** Leaves a promise that fails, and answers when the process is asked to stop. */
  @McpTool()
  async leavePromise(): Promise<string> {
    void this.fail();
    await once(process, 'SIGTERM');
    return 'answered';
  }

  /** Leaves a promise that fails after its first await. */
  @McpTool()
  async leaveLate(): Promise<string> {
    void this.failLate();
    await once(process, 'SIGTERM');
    return 'answered';
  }

  /** Leaves a timer that fails, and answers when the process is asked to stop. */
  @McpTool()
  async leaveTimer(): Promise<string> {
    setTimeout(() => {
      throw new Error('a stray timer');
    });
    await once(process, 'SIGTERM');
    return 'answered';
  }

  /** Says that it is there. */
  @McpTool()
  greet(): string {
    return 'hello';
  }

  private async fail(): Promise<void> {
    throw new Error('a stray promise');
  }

  private async failLate(): Promise<void> {
    await Promise.resolve();
    throw new Error('a stray promise');
  }
}`;

const serve = (body: string) => `
import { createMcpServer } from '@toolwright/core';
import { serveHttp } from '@toolwright/http';
import { runWorkers } from '@toolwright/http/workers';
import { StrayTools } from './stray-tools.js';

const options = { name: 'stray', version: '1.0.0', services: [StrayTools] };
const whenUnhandled = process.env.WHEN as 'drain' | 'keep' | 'node' | undefined;
const serving = { port: 0, ...(whenUnhandled && { whenUnhandled }) };
const { url } = await ${body};
console.log('stray listening on ' + url);
`;

const apps: GuideApp[] = [];
const started: RunningGuide[] = [];
let alone: GuideApp;
let workers: GuideApp;

function build(main: string, more: Record<string, string>): GuideApp {
  const app = new GuideApp(tutorialSettings());
  apps.push(app);
  for (const [file, text] of Object.entries({ 'main.ts': main, ...more })) app.write(`src/${file}`, text);
  app.build();
  return app;
}

beforeAll(() => {
  const more = { 'stray-tools.ts': tools };
  alone = build(serve('serveHttp(await createMcpServer(options), serving)'), more);
  workers = build(
    serve(
      'runWorkers({ workers: 2 }, async ({ stores }) => serveHttp(await createMcpServer({ ...options, stores }), serving))',
    ),
    more,
  );
});
afterAll(async () => {
  await Promise.all(started.map(({ stop }) => stop()));
  apps.forEach((app) => app.remove());
});

async function start(app: GuideApp, env: Record<string, string> = {}) {
  const written: string[] = [];
  const server = await app.start(env, (line) => void written.push(line));
  started.push(server);
  const call = async (name: string) => (await callTool(server.url, [name])).body.result.content[0].text;
  const failures = () =>
    written
      .filter((line) => line.includes('a stray'))
      .map(
        (line) => JSON.parse(line) as { message: string; operations: string[]; running: { name: string }[] },
      );
  return { ...server, call, failures };
}

test.each([
  ['leavePromise', ['leavePromise']],
  ['leaveLate', ['leavePromise', 'leaveLate', 'leaveTimer', 'greet']],
  ['leaveTimer', []],
])('a process in which %s left a failure answers its calls, and exits with 1', async (name, operations) => {
  const server = await start(alone);
  expect(await server.call(name)).toBe('answered');
  expect(await server.ended).toBe(1);
  expect(server.failures()).toEqual([
    expect.objectContaining({ operations, running: [expect.objectContaining({ name })] }),
  ]);
});

test('with keep the process goes on after a promise, and stops after an exception', async () => {
  const server = await start(alone, { WHEN: 'keep' });
  const waiting = server.call('leavePromise');
  expect(await server.call('greet')).toBe('hello');
  expect(await server.call('leaveTimer')).toBe('answered');
  expect(await waiting).toBe('answered');
  expect(await server.ended).toBe(1);
  expect(server.failures().map(({ message }) => message)).toEqual([
    expect.stringMatching(/goes on$/),
    expect.stringMatching(/stops as soon as its calls are answered$/),
  ]);
});

test('with node the process ends at once, and with it the call', async () => {
  const server = await start(alone, { WHEN: 'node' });
  await expect(server.call('leavePromise')).rejects.toThrow();
  expect(await server.ended).toBe(1);
});

test('a worker answers what was in flight, and the other one serves what comes', async () => {
  const server = await start(workers);
  expect(await server.call('leavePromise')).toBe('answered');
  expect(await server.call('greet')).toBe('hello');
  await server.stop();
  expect(server.failures()).toHaveLength(1);
});

test('the tools of the guide serve on after a promise that nobody awaits', async () => {
  const files = readPage('unhandled-failures.md').flatMap((part) => part.files);
  const { 'main.ts': main, ...more } = Object.fromEntries(files.map(({ file, text }) => [file, text]));
  const server = await build(main!, more).start({}, () => undefined);
  for (const id of ['7', '8'])
    expect((await callTool(server.url, ['shipOrder', { id }])).body.result.content[0].text).toBe(
      `Order ${id} is on its way.`,
    );
  expect(await server.stop()).toBe(0);
});
