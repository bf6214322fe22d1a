import { execFile } from 'node:child_process';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../../.ci/test/support/free-port.js';
import { ask, initialize, old } from './support/ask.js';
import { start, type Started } from './support/start.js';

const execute = promisify(execFile);
/** Frameworks are large, so they are not part of the workspace. `pnpm proof:install` installs them. */
const proof = join(__dirname, '../../proof');
const modules = join(proof, 'node_modules');
const cli = join(modules, '@toolwright/cli/bin/toolwright.js');

/** An app as its framework wants it, and the commands that its author would type. */
interface Framework {
  name: string;
  folder: string;
  build: string[][];
  start: (port: number) => string[];
  env: Record<string, string>;
}

const frameworks: Framework[] = [
  {
    name: 'Next.js',
    folder: 'next',
    build: [
      [cli, 'build'],
      [join(modules, 'next/dist/bin/next'), 'build'],
    ],
    start: (port) => [join(modules, 'next/dist/bin/next'), 'start', '-p', `${port}`, '-H', '127.0.0.1'],
    env: { NEXT_TELEMETRY_DISABLED: '1', CI: '1' },
  },
  {
    name: 'SvelteKit',
    folder: 'sveltekit',
    build: [
      [join(modules, '@sveltejs/kit/svelte-kit.js'), 'sync'],
      [cli, 'build'],
      [join(modules, 'vite/bin/vite.js'), 'build'],
    ],
    start: () => ['build/index.js'],
    env: { HOST: '127.0.0.1' },
  },
];

const isInstalled = existsSync(modules) || process.env['REQUIRE_ALL'] === '1';
if (!isInstalled) test('built frameworks: not tried, `pnpm proof:install` installs them', () => undefined);

describe.each(isInstalled ? frameworks : [])('$name', ({ folder, build, start: commandFor, env }) => {
  // Below apps/proof, so that it finds its packages.
  const cwd = join(proof, 'dist/frameworks', folder);
  let running: Started;
  let url: string;

  beforeAll(async () => {
    rmSync(cwd, { recursive: true, force: true });
    cpSync(join(__dirname, 'fixtures', folder), cwd, { recursive: true });
    const port = await freePort();
    const around = { PATH: process.env['PATH'] ?? '', NODE_ENV: 'production', PORT: `${port}`, ...env };
    for (const words of build)
      await execute(process.execPath, words, { cwd, env: around }).catch((error: unknown) => {
        const { stdout, stderr } = error as { stdout: string; stderr: string };
        throw new Error(`${words.join(' ')}\n${stdout}${stderr}`);
      });
    running = await start(process.execPath, commandFor(port), around, { cwd, ready: /http:\S+/i });
    url = `http://127.0.0.1:${port}/mcp`;
  });
  afterAll(() => running?.stop());

  test('a built app lists the tools, with the schemas of its manifest', async () => {
    const { status, messages } = await ask(url, 'tools/list');
    const [tool] = messages[0].result.tools as { inputSchema: object }[];
    expect(status).toBe(200);
    expect(tool).toMatchObject({
      name: 'findPages',
      inputSchema: { properties: { words: { minLength: 2 } } },
    });
  });

  test('a call streams progress, and the service has what its constructor wants', async () => {
    const params = { name: 'findPages', arguments: { words: 'Ho' } };
    const { headers, messages } = await ask(url, 'tools/call', params, { meta: { progressToken: 'p' } });
    expect(headers.get('content-type')).toContain('text/event-stream');
    const [progress, answer] = messages;
    expect(progress.params.message).toBe('looked');
    expect(answer.result.structuredContent).toEqual({ titles: ['Home'] });
  });

  test('clients with a handshake have a session', async () => {
    const { headers } = await old(url, initialize);
    const session = headers.get('mcp-session-id')!;
    const { messages } = await old(url, { id: 2, method: 'tools/list', params: {} }, session);
    expect(messages[0].result.tools).toHaveLength(1);
    const gone = await fetch(url, {
      method: 'DELETE',
      headers: { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' },
    });
    expect(gone.ok).toBe(true);
    expect((await old(url, { id: 3, method: 'tools/list', params: {} }, session)).status).toBe(404);
  });

  test('pages of other origins are refused', async () => {
    const { status } = await ask(url, 'tools/list', {}, { headers: { origin: 'https://evil.example' } });
    expect(status).toBe(403);
  });
});
