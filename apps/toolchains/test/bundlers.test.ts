import { spawn } from 'node:child_process';
import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { count, sampleOf, size } from '../../../.ci/test/support/proof.js';
import { AppFolder, hasLarge, program } from './support/app-folder.js';
import { filesOf, linesOf } from './support/documented.js';

const PAGE = 'toolchains.md';
const fixture = join(__dirname, 'fixtures/bundled');
const bun = ['x64', 'aarch64'].map((arch) => program(`@oven/bun-linux-${arch}/bin/bun`)).find(existsSync);

const call = (name: string, args: object) => ({ method: 'tools/call', params: { name, arguments: args } });
const greet = call('greet', { name: 'Ann' });
/** Both revisions have the text; they wrap the value differently. */
const says = (text: string) => ({ content: [{ type: 'text', text }] });
const greeting = says('Hello, Ann!');
const findAccount = (email: string) => call('findAccount', { email });

/**
 * What each app is asked, and what it answers. `Account` has a password, which class-transformer excludes. Outside of
 * `pnpm proof`, each bundler makes one of the two apps: `chosen` says which.
 */
const apps = {
  'has no optional peer': {
    peers: [],
    requests: [greet],
    answers: [greeting],
    chosen: ['esbuild', 'webpack', 'Bun', 'workerd'],
  },
  'has class-validator and class-transformer': {
    peers: ['class-transformer', 'class-validator'],
    requests: [greet, findAccount('ann@example.com'), findAccount('nowhere')],
    answers: [greeting, says('{"by":"ann@example.com","account":{"name":"Ann"}}'), { isError: true }],
    chosen: ['Rolldown', 'Vite', 'Bun, an executable'],
  },
};

/** A bundler, and its command as the page shows it. */
interface Bundler {
  name: string;
  command: string;
  start: string[];
  file?: string;
}

const [esbuildLine] = linesOf(PAGE, 'npx esbuild');
const [bunLine] = linesOf(PAGE, 'bun build');
const bundlers: Bundler[] = [
  { name: 'esbuild', command: esbuildLine!, start: ['dist/app.mjs'] },
  { name: 'Rolldown', command: 'npx rolldown -c', start: ['dist/app.mjs'] },
  { name: 'Vite', command: 'npx vite build', start: ['dist/app.mjs'] },
  { name: 'webpack', command: `node ${join(__dirname, 'support/run-webpack.mjs')}`, start: ['dist/app.mjs'] },
];
if (bun) {
  const single = bunLine!.replace('src/main.ts --target=bun', 'src/single.ts --compile').replace('.mjs', '');
  bundlers.push(
    { name: 'Bun', command: bunLine!.replace('bun', bun), start: ['dist/app.mjs'], file: bun },
    { name: 'Bun, an executable', command: single.replace('bun', bun), start: [], file: 'dist/app' },
  );
} else test('Bun: not tried, `pnpm proof:install` did not bring it', () => undefined);

if (!hasLarge) test('workerd and Next.js: not tried, `pnpm proof:install` installs them', () => undefined);
const largeTest = hasLarge ? test : test.skip;

describe.each(Object.entries(apps))('an app that %s', (_app, { peers, requests, answers, chosen }) => {
  let folder: AppFolder;

  beforeAll(async () => {
    const installed = ['@toolwright/core', '@toolwright/http', '@toolwright/stdio', ...peers];
    folder = new AppFolder({ sources: join(fixture, 'src'), installed });
    if (peers.length > 0) cpSync(join(fixture, 'peers'), folder.path('src'), { recursive: true });
    for (const part of ['config', 'next', 'worker'])
      cpSync(join(fixture, part), part === 'worker' ? folder.path('worker') : folder.folder, {
        recursive: true,
      });
    for (const [name, text] of filesOf(PAGE)) writeFileSync(folder.path(name), text);
    await folder.manifest();
  });
  afterAll(() => folder?.remove());

  test('has types that fit, also with its manifest as an import', async () => {
    await folder.shell('npx tsc --noEmit -p tsconfig.json');
  });

  test.each(sampleOf(bundlers, ({ name }) => chosen.includes(name)))(
    'is bundled with $name and answers',
    async ({ command, start, file }) => {
      folder.empty();
      await folder.shell(command);
      const executable = file?.startsWith('dist') ? folder.path(file) : file;
      expect(await folder.ask(start, requests, executable)).toMatchObject(answers);
      count('apps', 1);
    },
  );

  for (const name of sampleOf(['workerd'], (each) => chosen.includes(each)))
    largeTest(`is bundled for ${name} and answers (needs \`pnpm proof:install\`)`, async () => {
      const bodies = requests.map((request, id) => ({ jsonrpc: '2.0', id, ...request }));
      const script = join(__dirname, 'support/run-worker.mjs');
      const heard = await folder.node(script, folder.path('worker/worker.ts'), JSON.stringify(bodies));
      expect(JSON.parse(heard.trim().split('\n').at(-1)!)).toMatchObject(answers);
    });

  // Next.js builds for long. apps/runtimes has an app of it, and both of its bundlers build both of these in `pnpm proof`.
  const flags = size > 1 ? ['--turbopack', '--webpack'] : [];
  for (const flag of flags)
    largeTest(`is built by Next.js with ${flag} and answers (needs \`pnpm proof:install\`)`, async () => {
      rmSync(folder.path('.next'), { recursive: true, force: true });
      await folder.shell(`NEXT_TELEMETRY_DISABLED=1 CI=1 NODE_ENV=production next build ${flag}`);
      const words = [program('next/dist/bin/next'), 'start', '-p', '0', '-H', '127.0.0.1'];
      const child = spawn(process.execPath, words, {
        cwd: folder.folder,
        env: { PATH: process.env['PATH'], NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
      });
      try {
        const url = await new Promise<string>((resolve, reject) => {
          let heard = '';
          child.stdout.on('data', (chunk: Buffer) => {
            heard += chunk.toString();
            const found = /http:\/\/127\.0\.0\.1:\d+/.exec(heard);
            if (found) resolve(`${found[0]}/mcp`);
          });
          child.once('exit', () => reject(new Error(heard)));
        });
        for (const [index, request] of requests.entries())
          expect(await ask(url, request)).toMatchObject(answers[index]!);
        count('apps', 1);
      } finally {
        child.kill();
      }
    });
});

/** One request of 2026-07-28. */
async function ask(url: string, { method, params }: typeof greet): Promise<unknown> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      'mcp-name': params.name,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
  });
  return ((await response.json()) as { result: unknown }).result;
}

const started = filesOf('getting-started.md');

test('the command of the page bundles the app of the first guide', async () => {
  const folder = new AppFolder({
    tsconfig: 'tsconfig.verbatim.json',
    installed: ['@toolwright/core', '@toolwright/http'],
  });
  rmSync(folder.path('src'), { recursive: true });
  cpSync(join(fixture, 'src'), folder.path('src'), {
    recursive: true,
    filter: (path) => !path.endsWith('.ts'),
  });
  for (const [name, text] of started) writeFileSync(folder.path('src', name), text.replace('3000', '0'));
  await folder.manifest();
  const [line] = linesOf(PAGE, 'npx esbuild');
  await folder.shell(line!);
  const child = spawn(process.execPath, [/--outfile=(\S+)/.exec(line!)![1]!], { cwd: folder.folder });
  const heard = await new Promise<string>((resolve) => {
    let text = '';
    const hear = (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('\n')) resolve(text);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill();
  await ended;
  folder.remove();
  expect(heard).toContain('weather listening on http://127.0.0.1:');
});
