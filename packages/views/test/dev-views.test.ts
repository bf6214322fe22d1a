import { realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { connectTo } from '../../cli/src/remote/open-remote.js';
import { ConsolePage } from '../../cli/test/support/console-page.js';
import { DevProcess } from '../../cli/test/support/dev-process.js';
import { ViewProject } from './support/view-project.js';

const main = `import { createMcpServer } from '@toolwright/core';
import { serveHttp } from '@toolwright/http';
import { ClimateTools } from './climate-tools.js';

void createMcpServer({ name: 'climate', version: '1.0.0', services: [ClimateTools] }).then((server) =>
  serveHttp(server, { port: 0 }),
);
`;

const view = `import type { ViewOf } from '@toolwright/views';
import './chart.css';
import logo from './logo.svg';
export default function show({ result }: ViewOf<'climate'>, root: HTMLElement) {
  root.textContent = 'First: ' + result.city;
  root.dataset['logo'] = logo;
}
`;

/** A compiler that answers when there is a file `go`. */
const slowCompiler = (compiler: string, go: string) => `const { existsSync } = require('node:fs');
const { spawnSync } = require('node:child_process');
const look = () => {
  if (!existsSync(${JSON.stringify(go)})) return setTimeout(look, 20);
  const { status } = spawnSync(process.execPath, [${JSON.stringify(compiler)}, ...process.argv.slice(2)], { stdio: 'inherit' });
  process.exit(status);
};
look();
`;

const counter = `  private calls = 0;

  /** Count the calls of this instance. */
  @McpTool({ annotations: { readOnlyHint: true } })
  count(): { pid: number; calls: number } {
    return { pid: process.pid, calls: ++this.calls };
  }

  /** List rows. */`;

let project: ViewProject;
let dev: DevProcess;
let client: Awaited<ReturnType<typeof connectTo>>;

// A dev takes seconds to start. So the tests share one, in this order.
beforeAll(async () => {
  project = new ViewProject();
  project.install({ '@toolwright/http': 'packages/http' });
  // A new app is an ES module, which cannot be loaded again. Its pages change all the same while it runs.
  project.edit('package.json', '{', '{ "type": "module", ');
  project.edit('src/climate-tools.ts', './views/chart.tsx', './views/chart.ts');
  project.edit('src/climate-tools.ts', '  /** List rows. */', counter);
  project.write('src/main.ts', main);
  project.write('src/views/chart.ts', view);
  project.write('src/views/chart.css', 'h1 { color: teal }');
  project.write('src/views/logo.svg', '<svg xmlns="http://www.w3.org/2000/svg"><title>One</title></svg>');
  dev = new DevProcess(project);
  client = await connectTo(await dev.url(), {});
});

afterAll(async () => {
  await client?.close();
  await dev.stop();
  project.remove();
});

async function readPage(): Promise<{ text: string; _meta?: object }> {
  const { contents } = (await client.request('resources/read', { uri: 'ui://views/chart' })) as any;
  return contents[0];
}

const read = async () => (await readPage()).text;
const console_ = () => ConsolePage.open(/^console: (\S+)$/m.exec(dev.printed)![1]!);
const kept = () => project.read('mcp.manifest.json') + project.read('mcp.views.json');

/** The process, and how often its instance was called. */
const count = async () =>
  (await client.call('count', {})).structuredContent as { pid: number; calls: number };

/** Waits until the page has a text. dev may report one edit twice, so a report may be about the edit before. */
async function serves(text: string): Promise<void> {
  while (!(await read()).includes(text)) await dev.says(/showed chart|replaced ClimateTools/);
}

test('an edit of a view is shown before the compiler has answered, and nothing else of the app changes', async () => {
  expect(await read()).toContain('First: ');
  const before = await count();
  const files = kept();
  const changes = await client.listen({ tools: true, resources: true, uris: ['ui://views/chart'] });

  const compiler = project.path('node_modules/typescript');
  const real = realpathSync(compiler);
  rmSync(compiler);
  project.write(
    'node_modules/typescript/package.json',
    JSON.stringify({ name: 'typescript', version: '5.9.3' }),
  );
  project.write('node_modules/typescript/bin/tsc', slowCompiler(join(real, 'bin/tsc'), project.path('go')));

  // An editor saves in two steps, and a busy machine has time between them.
  const edited = project.read('src/views/chart.ts').replace('First', 'Second');
  project.write('src/views/chart.ts', '');
  await setTimeout(40);
  project.write('src/views/chart.ts', edited);
  await serves('Second: ');
  // The check of the edit before still runs, and is given up.
  project.edit('src/views/chart.ts', 'Second', 'Third');
  await serves('Third: ');
  for (const change of [await changes.next(), await changes.next()])
    expect(change).toMatchObject({
      method: 'notifications/resources/updated',
      params: { uri: 'ui://views/chart' },
    });
  expect(kept()).toBe(files);

  const built = (await console_()).hears('build');
  project.write('go', '');
  expect(await built).toMatchObject({ problems: [] });
  expect(project.read('mcp.views.json')).toContain('Third: ');
  expect(await count()).toEqual({ ...before, calls: before.calls + 1 });
  expect(changes.pending()).toEqual([]);
  await changes.close();
});

test('a mistake in the types is reported after the page is shown, and nothing is written meanwhile', async () => {
  const files = kept();
  project.edit('src/views/chart.ts', 'result.city', 'result.town');
  await serves('result.town');
  await dev.says(/src\/views\/chart\.ts:5:\d+: error TS2339/);
  await dev.says(/1 error; the page is shown all the same/);
  expect(kept()).toBe(files);

  project.edit('src/views/chart.ts', 'result.town', 'result.months');
  await dev.says(/no errors any more/);
  expect(await read()).toContain('result.months');
  expect(project.read('mcp.views.json')).toContain('result.months');
});

test('styles and pictures are shown as they are edited', async () => {
  project.edit('src/views/chart.css', 'teal', 'navy');
  await serves('navy');
  project.edit('src/views/logo.svg', 'One', 'Two');
  await serves('Two');
});

test('a view that cannot be built is reported, and the page before stays', async () => {
  project.edit('src/views/chart.ts', "import './chart.css'", "import './gone.css'");
  await dev.says(/src\/views\/chart\.ts:\d+:\d+: error TW_VIEW_INVALID/);
  await dev.says(/the last good version continues/);
  expect(await read()).toContain('navy');
  project.edit('src/views/chart.ts', './gone.css', './chart.css');
  await dev.says(/no errors any more|replaced ClimateTools/);
});

test('a page that loads from somewhere else gets another policy with its new text', async () => {
  project.edit(
    'src/views/chart.ts',
    'root.textContent',
    "void fetch('https://api.example.com/');\n  root.textContent",
  );
  await dev.says(/replaced ClimateTools/);
  const { text, _meta } = await readPage();
  expect(text).toContain('https://api.example.com/');
  expect(_meta).toMatchObject({ ui: { csp: { connectDomains: ['https://api.example.com'] } } });
});

test('an edit of what the server uses, too, reaches both at once', async () => {
  project.write('src/words.ts', "export const words = 'shared one';\n");
  project.edit(
    'src/views/chart.ts',
    "import './chart.css'",
    "import { words } from '../words.js';\nimport './chart.css'",
  );
  project.edit('src/views/chart.ts', "'Third", "words + 'Third");
  project.edit(
    'src/climate-tools.ts',
    'import { McpService',
    "import { words } from './words.js';\nimport { McpService",
  );
  project.edit('src/climate-tools.ts', '`row ${from}`', '`${words} ${from}`');
  const rows = async () => JSON.stringify((await client.call('rows', { from: 1 })).structuredContent);
  while (!(await rows()).includes('shared one') || !(await read()).includes('shared one'))
    await dev.says(/restarted|replaced/);

  const shown = dev.printed.split('showed chart').length;
  project.edit('src/words.ts', 'shared one', 'shared two');
  while (!(await rows()).includes('shared two')) await dev.says(/restarted|replaced/);
  expect(await read()).toContain('shared two');
  expect(dev.printed.split('showed chart')).toHaveLength(shown);
});

test('the code of the project keeps its names in a page of dev, and large libraries are short', async () => {
  const comment = `/* ${'large '.repeat(4_000)}*/`;
  const library = (text: string) =>
    `${comment}\nfunction longInternalName(text) { return text + '!'; }\nexports.shout = longInternalName;\n${text}`;
  project.write('node_modules/large/package.json', JSON.stringify({ name: 'large', main: 'index.js' }));
  project.write('node_modules/large/index.d.ts', 'export function shout(text: string): string;\n');
  project.write('node_modules/large/index.js', library(''));
  project.edit('src/views/chart.ts', 'import type', "import { shout } from 'large';\nimport type");
  project.edit(
    'src/views/chart.ts',
    '  root.textContent',
    "  root.title = shout('loud');\n  root.textContent",
  );
  await serves('loud');
  const page = await read();
  expect(page).toContain('function show(');
  expect(page).not.toContain('longInternalName');

  // What is wrong with a library is said by the bundler.
  project.write('node_modules/large/index.js', library('exports.other = (;'));
  project.edit('src/views/chart.ts', 'loud', 'louder');
  await dev.says(/error TW_VIEW_INVALID: The view cannot be built/);
});
