import { join } from 'node:path';
import { runIn } from './support/recording-terminal.js';
import { compilerOptions, repository } from './support/project-folder.js';
import { SmallProject } from './support/small-project.js';

/** A project without the options for decorators. */
const plainOptions = {
  ...compilerOptions,
  experimentalDecorators: undefined,
  emitDecoratorMetadata: undefined,
};
const listen = `app.listen(0, '127.0.0.1', function (this: any) {
  console.log('http://127.0.0.1:' + this.address().port);
});
`;

/** An app of ES modules, with an access check for everything and a 404 page. */
const esm = () =>
  new SmallProject({
    'package.json': {
      name: '@shop/orders',
      version: '2.1.0',
      type: 'module',
      scripts: { build: 'tsc -p tsconfig.json', test: 'true' },
      dependencies: { express: '^5.0.0' },
    },
    'tsconfig.json': `{
  // Shared by all of us.
  "compilerOptions": ${JSON.stringify(plainOptions, null, 2)},
  "include": ["src"]
}
`,
    'src/app.ts': `import express from 'express';
import { requireKey } from './require-key.js';

const app = express();
app.disable('x-powered-by');
app.use(requireKey); // nobody gets past without a key

// What customers see.
app.get('/orders', (_request, response) => void response.json([]));
app.use((_request, response) => void response.status(404).end('no such page'));
${listen}`,
    'src/require-key.ts': `import type { RequestHandler } from 'express';

export const requireKey: RequestHandler = (request, response, next) => {
  if (request.headers['x-key'] === 'secret') next();
  else response.status(401).end('no key');
};
`,
  });

/** A CommonJS app with double quotes, tabs and Windows line ends, created by a function. */
const commonJs = () =>
  new SmallProject({
    'package.json': '{\n\t"name": "old-shop",\n\t"dependencies": {\n\t\t"express": "4"\n\t}\n}',
    'tsconfig.json': {
      compilerOptions: { ...plainOptions, module: 'commonjs', moduleResolution: 'node' },
      include: ['src'],
    },
    'src/main.ts': [
      'import express = require("express")',
      '',
      'function addRoutes(app: express.Express) {',
      '\tapp.get("/orders", (_request, response) => void response.json([]))',
      '}',
      '',
      'function createApp() {',
      '\tconst app = express()',
      '\tapp.set("title", app.get("env"))',
      '\tapp.use(express.json())',
      '\taddRoutes(app)',
      '\treturn app',
      '}',
      '',
      ...listen.replace('app.', 'createApp().').replaceAll("'", '"').split('\n'),
    ].join('\r\n'),
  });

let project: SmallProject;

afterEach(() => project.leave());

/** Apps of today still have options that TypeScript 7 has removed. */
const compile = () => project.node(join(repository, 'node_modules/typescript/bin/tsc'), '-p', '.');

/** Builds and starts the app, and calls its first tool. */
async function callTool(file: string, ...words: string[]) {
  expect(compile()).toMatchObject({ status: 0, stdout: '' });
  expect(await runIn(project.folder, 'build')).toMatchObject({ status: 0 });
  const url = await project.start(file);
  const called = await runIn(project.folder, 'call', '--url', `${url}/mcp`, ...words, 'get_uptime');
  return { url, called };
}

const uptime = expect.stringMatching(/"seconds": ?\d/);

test('an app of ES modules serves its first tool, after its access check and before its 404 page', async () => {
  project = esm();
  const init = await runIn(project.folder, 'init', '--yes');
  expect(init).toMatchObject({ status: 0, stderr: expect.stringMatching(/^Next: npm install/) });
  expect(project.read('src/app.ts').split('\n').slice(0, 10)).toEqual([
    "import express from 'express';",
    "import { requireKey } from './require-key.js';",
    "import { mcpEndpoint } from './mcp/mcp-endpoint.js';",
    '',
    'const app = express();',
    "app.disable('x-powered-by');",
    'app.use(requireKey); // nobody gets past without a key',
    "app.use('/mcp', mcpEndpoint);",
    '',
    '// What customers see.',
  ]);
  expect(JSON.parse(project.read('package.json'))).toEqual({
    name: '@shop/orders',
    version: '2.1.0',
    type: 'module',
    scripts: { build: 'tsc -p tsconfig.json && toolwright build --project tsconfig.json', test: 'true' },
    dependencies: {
      '@toolwright/core': expect.stringMatching(/^\d/),
      '@toolwright/express': expect.stringMatching(/^\d/),
      express: '^5.0.0',
    },
    devDependencies: { '@toolwright/cli': expect.stringMatching(/^\d/) },
  });
  expect(project.read('tsconfig.json')).toContain('// Shared by all of us.');
  expect(project.read('tsconfig.json')).toContain('"experimentalDecorators": true');
  expect(project.read('tsconfig.json')).not.toContain('emitDecoratorMetadata');

  const { url, called } = await callTool('dist/app.js', '--header', 'x-key: secret');
  expect(called).toMatchObject({ status: 0, stdout: uptime });
  expect(await runIn(project.folder, 'list', '--url', `${url}/mcp`)).toMatchObject({ status: 1 });
  const other = await fetch(`${url}/other`, { headers: { 'x-key': 'secret' } });
  expect({ status: other.status, text: await other.text() }).toEqual({ status: 404, text: 'no such page' });
});

test('a CommonJS app keeps its quotes, tabs and line ends', async () => {
  project = commonJs();
  project.write('package.json', project.read('package.json').replaceAll('\n', '\r\n'));
  expect(await runIn(project.folder, 'init', '--yes')).toMatchObject({ status: 0 });
  const lines = project.read('src/main.ts').split('\r\n');
  expect(lines.slice(0, 3)).toEqual([
    'import express = require("express")',
    'import { mcpEndpoint } from "./mcp/mcp-endpoint"',
    '',
  ]);
  expect(lines.slice(8, 14)).toEqual([
    '\tconst app = express()',
    '\tapp.set("title", app.get("env"))',
    '\tapp.use("/mcp", mcpEndpoint)',
    '\tapp.use(express.json())',
    '\taddRoutes(app)',
    '\treturn app',
  ]);
  expect(project.read('package.json')).toMatch(
    /^{\r\n\t"name": "old-shop",[\s\S]*"build:mcp": "toolwright build"[\s\S]*}$/,
  );
  expect(project.read('package.json')).not.toMatch(/[^\r]\n/);
  expect((await callTool('dist/main.js')).called).toMatchObject({ status: 0, stdout: uptime });
});

test('the changes are shown, and nothing is written if nobody can be asked', async () => {
  project = esm();
  const before = project.read('src/app.ts');
  const { status, stdout, stderr } = await runIn(project.folder, 'init');
  expect(status).toBe(1);
  expect(stdout).toContain('--- src/app.ts\n+++ src/app.ts\n@@ ');
  expect(stdout).toContain("\n+app.use('/mcp', mcpEndpoint);\n");
  expect(stdout).toContain('--- /dev/null\n+++ src/mcp/app-tools.ts\n');
  expect(stderr).toBe(
    'error: Nothing was written, because the command cannot ask without a terminal. Pass --yes to write everything.\n',
  );
  expect(project.read('src/app.ts')).toBe(before);
  expect(project.has('src/mcp/app-tools.ts')).toBe(false);
});

test('a body parser before a check of access stays there, and it is said what that means', async () => {
  project = esm();
  const source = project.read('src/app.ts');
  project.write(
    'src/app.ts',
    source.replace('app.use(requireKey);', 'app.use(express.json());\napp.use(requireKey);'),
  );
  const { status, stderr } = await runIn(project.folder, 'init', '--yes');
  expect(status).toBe(0);
  expect(stderr).toContain(
    'In src/app.ts, the endpoint comes after app.use(express.json()); A body parser sets its own limit',
  );
  expect(project.read('src/app.ts')).toContain("without a key\napp.use('/mcp', mcpEndpoint);");
});

test('the second time, nothing is left to do', async () => {
  project = esm();
  await runIn(project.folder, 'init', '--yes');
  const before = project.read('src/app.ts');
  const again = await runIn(project.folder, 'init', '--yes');
  expect(again).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('already exists') });
  expect(project.read('src/app.ts')).toBe(before);
});

test('an app that is created in another way is not changed, and the lines to add are printed', async () => {
  project = esm();
  project.write(
    'src/app.ts',
    `import express from 'express';

export class Shop {
  readonly app = express();
}

const { app } = new Shop();
// HERE
${listen}`,
  );
  const { status, stderr } = await runIn(project.folder, 'init', '--yes');
  expect(status).toBe(0);
  const [, from] = /import \{ mcpEndpoint \} from '(.*)'/.exec(stderr)!;
  const [mount] = /app\.use\('\/mcp', mcpEndpoint\);/.exec(stderr)!;
  const source = project.read('src/app.ts');
  project.write('src/app.ts', `import { mcpEndpoint } from '${from}';\n${source.replace('// HERE', mount!)}`);
  expect((await callTool('dist/app.js')).called).toMatchObject({ status: 0, stdout: uptime });
});

test.each([
  [
    'JavaScript alone',
    { 'package.json': { dependencies: { express: '5' } }, 'app.js': '' },
    1,
    /the project has to be TypeScript/,
  ],
  [
    'no Express',
    { 'package.json': {}, 'tsconfig.json': {} },
    1,
    /does not depend on Express.*npm create toolwright/,
  ],
  ['no package', { 'tsconfig.json': {} }, 2, /There is no package\.json/],
  [
    'two apps',
    {
      'package.json': { dependencies: { express: '5' } },
      'tsconfig.json': { include: ['src'] },
      'src/a.ts': "import express from 'express';\nconst app = express();\n",
      'src/b.ts': "import express from 'express';\nconst app = express();\n",
    },
    2,
    /src\/a\.ts, src\/b\.ts\. Name one with --app\./,
  ],
])('the refusal of a project with %s has a reason', async (_case, files, code, message) => {
  project = new SmallProject(files as Record<string, string | object>);
  const { status, stdout, stderr } = await runIn(project.folder, 'init', '--yes');
  expect({ status, stdout }).toEqual({ status: code, stdout: '' });
  expect(stderr).toMatch(message);
});

test('after a mistake in a tool, the app ends at the start, with the reason', async () => {
  project = commonJs();
  await runIn(project.folder, 'init', '--yes');
  expect(compile()).toMatchObject({ status: 0 });
  const started = project.node('dist/main.js');
  expect(started).toMatchObject({ status: 1, stderr: expect.stringContaining('TW_MANIFEST_MISSING') });
  expect(started.stderr).toMatch(/^The configuration has /);
  expect(started.stderr).not.toMatch(/^ +at /m);
});
