import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { InstalledProject } from './support/installed-project.js';
import { ProjectFolder, repository } from './support/project-folder.js';
import { notesPackage } from './support/publish.js';

const source = `#!/usr/bin/env node
import { createMcpServer, McpService, McpTool } from '@toolwright/core';
import { serveStdio } from '@toolwright/stdio';

@McpService()
class Greeter {
  /**
   * Greet a person. Returns the greeting.
   * @param name who is greeted
   */
  @McpTool({ annotations: { readOnlyHint: true } })
  greet(/** @maxLength 50 */ name: string): string {
    return [process.env['GREETING'], name, process.argv[2], process.env['API_KEY'] === 'canary'].join(' ');
  }
}

void createMcpServer({ name: 'greeter', version: '1.2.3', services: [Greeter] }).then(serveStdio);
`;

/** A PNG of one pixel. */
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** The official program for bundles. */
const mcpb = join(dirname(require.resolve('@anthropic-ai/mcpb')), 'cli/cli.js');

interface BundleManifest {
  server: { mcp_config: { command: string; args: string[]; env: Record<string, string> } };
  user_config: Record<string, { default?: string }>;
}

let project: InstalledProject;
const unpacked = new ProjectFolder();

beforeAll(() => {
  project = new InstalledProject({
    ...notesPackage,
    type: 'commonjs',
    files: ['dist', 'mcp.manifest.json', 'icon.png'],
  });
  project.write('src/main.ts', source);
  project.write('.env', 'API_KEY=abc-canary');
  writeFileSync(project.path('icon.png'), Buffer.from(pixel, 'base64'));
  project.build();
});
afterAll(() => {
  project.remove();
  unpacked.remove();
});

const publish = (...words: string[]) => project.toolwright('publish', ...words);
const json = (text: string) => JSON.parse(text) as Record<string, unknown>;

test('without the bundler the command says how to install it', () => {
  const module = join(repository, 'packages/cli/dist/publish/bundle/load-mcpb.js');
  const call = `try { require(${JSON.stringify(module)}).findMcpb(['/nowhere/package.json']) } catch (error) { console.log(error.message) }`;
  expect(project.node('-e', call).stdout).toContain('npm install --save-dev @anthropic-ai/mcpb@2');
});

// The tests below go on from each other: packing takes seconds, so it happens once.
test('without a server.json there is no bundle', () => {
  expect(publish('bundle', '--yes')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('toolwright publish registry'),
  });
});

test('a bundle is packed, and server.json knows its sum', () => {
  const inputs = ['--env', 'GREETING=Hello', '--env', 'API_KEY', '--argument', '--loudly'];
  expect(publish('registry', '--yes', '--title', 'Greeter', ...inputs)).toMatchObject({ status: 0 });
  expect(publish('bundle', '--yes', '--out', 'release')).toMatchObject({ status: 0 });
  const sum = createHash('sha256')
    .update(readFileSync(project.path('release/ann-notes-1.2.3.mcpb')))
    .digest('hex');
  expect(json(project.read('server.json'))['packages']).toEqual([
    expect.objectContaining({ registryType: 'npm' }),
    {
      registryType: 'mcpb',
      identifier: 'https://github.com/ann/notes/releases/download/v1.2.3/ann-notes-1.2.3.mcpb',
      transport: { type: 'stdio' },
      fileSha256: sum,
    },
  ]);
  expect(publish('registry', '--check')).toMatchObject({ status: 0 });
});

test('the bundle has what production needs, and nothing else', () => {
  const bundle = project.path('release/ann-notes-1.2.3.mcpb');
  expect(project.node(mcpb, 'unpack', bundle, unpacked.folder)).toMatchObject({ status: 0 });
  expect(project.node(mcpb, 'validate', unpacked.path('manifest.json'))).toMatchObject({ status: 0 });
  expect(readdirSync(unpacked.folder).sort()).toEqual([
    'dist',
    'icon.png',
    'manifest.json',
    'mcp.manifest.json',
    'node_modules',
    'package.json',
  ]);
  const installed = readdirSync(unpacked.path('node_modules'));
  expect(installed).toContain('reflect-metadata');
  expect(installed).not.toContain('typescript');
  expect(readdirSync(unpacked.path('node_modules/@toolwright')).sort()).toEqual([
    'core',
    'manifest',
    'stdio',
  ]);
  expect(unpacked.has('node_modules/@toolwright/core/src')).toBe(false);
});

test('its manifest names the author, the tools, and what people fill in', () => {
  expect(json(unpacked.read('manifest.json'))).toEqual({
    manifest_version: '0.3',
    name: 'ann-notes',
    display_name: 'Greeter',
    version: '1.2.3',
    description: 'Finds and keeps notes',
    author: { name: 'Ann Notes', email: 'ann@notes.example', url: 'https://ann.example' },
    repository: { type: 'git', url: 'https://github.com/ann/notes' },
    homepage: 'https://notes.example',
    icon: 'icon.png',
    server: {
      type: 'node',
      entry_point: 'dist/main.js',
      mcp_config: {
        command: 'node',
        args: ['${__dirname}/dist/main.js', '--loudly'],
        env: { GREETING: '${user_config.greeting}', API_KEY: '${user_config.api_key}' },
      },
    },
    tools: [{ name: 'greet', description: 'Greet a person. Returns the greeting.' }],
    license: 'MIT',
    compatibility: { runtimes: { node: '>=20.19' } },
    user_config: {
      greeting: {
        type: 'string',
        title: 'GREETING',
        description: 'The variable GREETING of the server',
        required: false,
        sensitive: false,
        default: 'Hello',
      },
      api_key: {
        type: 'string',
        title: 'API_KEY',
        description: 'The variable API_KEY of the server',
        required: true,
        sensitive: true,
      },
    },
  });
});

test('a host starts it, and the official client calls its tool', async () => {
  const { server, user_config: asked } = json(unpacked.read('manifest.json')) as unknown as BundleManifest;
  const given: Record<string, string> = { api_key: 'canary' };
  const fill = (text: string) =>
    text
      .replaceAll('${__dirname}', unpacked.folder)
      .replace(/\$\{user_config\.(\w+)\}/g, (_whole, key: string) => given[key] ?? asked[key]!.default!);
  const { args, env } = server.mcp_config;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: args.map(fill),
    env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value)])),
    cwd: '/',
  });
  const client = new Client({ name: 'host', version: '1' });
  await client.connect(transport);
  try {
    const { content } = await client.callTool({ name: 'greet', arguments: { name: 'Bea' } });
    expect(content).toEqual([{ type: 'text', text: 'Hello Bea --loudly true' }]);
  } finally {
    await client.close();
  }
});

test.each<[string, object, number, string]>([
  ['a file that npm leaves out', { files: ['dist'] }, 1, 'npm would not publish mcp.manifest.json'],
  ['no author', { author: undefined }, 2, 'needs an author'],
  ['no stdio', { dependencies: { '@toolwright/core': '0.1.0' } }, 2, 'does not depend on @toolwright/stdio'],
  ['no build', { main: 'dist/other.js' }, 2, 'Build first'],
  [
    'a missing dependency',
    { dependencies: { '@toolwright/stdio': '0.1.0', nowhere: '1' } },
    1,
    'nowhere is not installed',
  ],
])('%s is an error that says so', (_what, change, code, message) => {
  const described = project.read('package.json');
  project.write('package.json', JSON.stringify({ ...json(described), ...change }));
  expect(publish('bundle', '--yes')).toMatchObject({
    status: code,
    stderr: expect.stringContaining(message),
  });
  project.write('package.json', described);
});

test('pages of views that npm leaves out are an error that says so', () => {
  project.write('mcp.views.json', '{}');
  expect(publish('bundle', '--yes')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(
      'npm would not publish mcp.views.json. Write into package.json: "files": ["dist", "mcp.manifest.json", "mcp.views.json"]',
    ),
  });
  rmSync(project.path('mcp.views.json'));
});
