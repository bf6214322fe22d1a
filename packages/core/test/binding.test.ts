import { utimesSync } from 'node:fs';
import { ConfigurationError, createMcpServer, type Logger, type ServerOptions } from '@toolwright/core';
import { hashSources, type Manifest } from '@toolwright/manifest';
import { handMadeManifest } from './packages/hand-made-manifest.js';
import { TemporaryPackage } from './packages/temporary-package.js';
import { ModernWire } from './wire/modern-wire.js';

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };
const packages: TemporaryPackage[] = [];

function makePackage(files: Record<string, string>, manifest?: Manifest): TemporaryPackage {
  const made = new TemporaryPackage(files, manifest);
  packages.push(made);
  return made;
}

afterEach(() => packages.splice(0).forEach((made) => made.remove()));

const boot = (options: Partial<ServerOptions>) =>
  createMcpServer({ name: 'test', version: '1', logger: silent, ...options });

/** What `find` of the tool answers, or which tools there are. */
async function answer(options: Partial<ServerOptions>, name = 'find'): Promise<string> {
  const server = await boot(options);
  const { result } = await new ModernWire(server).call(name, { query: 'x' });
  await server.close(0);
  return result.content[0].text;
}

async function problemsOf(options: Partial<ServerOptions>) {
  const error: unknown = await boot(options).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ConfigurationError);
  return (error as ConfigurationError).problems;
}

const service = (name: string, body: string, decorator = '@McpService()') => `
  import { McpService, McpTool, McpResource, McpResourceTemplate, McpPrompt, RateLimit } from '@toolwright/core';
  ${decorator} export class ${name} { ${body} }`;
const find = (text: string, options = '') => `@McpTool(${options}) find(query) { return '${text}'; }`;
const findEntry = { find: ['query'] };

describe('which class of a manifest a service is', () => {
  test('the manifest of the package that the class was decorated in is found', async () => {
    const made = makePackage(
      { 'dist/tools.js': service('Tools', find('mine')) },
      handMadeManifest({ file: 'src/tools.ts', name: 'Tools', methods: findEntry }),
    );
    expect(await answer({ services: [made.load('dist/tools.js')['Tools']!] })).toBe('mine');
  });

  test('services of several packages each bring their own', async () => {
    const [one, two] = ['one', 'two'].map((text) =>
      makePackage(
        { 'dist/tools.js': service('Tools', find(text, `{ name: '${text}' }`)) },
        handMadeManifest({ file: 'src/tools.ts', name: 'Tools', methods: findEntry }),
      ),
    );
    const services = [one!.load('dist/tools.js')['Tools']!, two!.load('dist/tools.js')['Tools']!];
    expect(await answer({ services }, 'one')).toBe('one');
    expect(await answer({ services }, 'two')).toBe('two');
  });

  test('a minified class is known by the module and export that the manifest names', async () => {
    const made = makePackage(
      {
        'dist/tools.js': `${service('t', find('minified'))} exports.PageTools = t;`,
        'dist/index.js': `export { PageTools as Renamed } from './tools.js';`,
      },
      handMadeManifest(
        {
          file: 'src/tools.ts',
          name: 'PageTools',
          methods: findEntry,
          module: { path: 'dist/tools.js', export: 'PageTools' },
        },
        {
          file: 'src/other.ts',
          name: 'Other',
          methods: findEntry,
          module: { path: 'dist/other.js', export: 'Other' },
        },
      ),
    );
    expect(await answer({ services: [made.load('dist/index.js')['Renamed']!] })).toBe('minified');
  });

  test('a bundled and minified class is known by its id', async () => {
    const made = makePackage(
      { 'bundle.js': service('t', find('bundled'), "@McpService({ id: 'pages' })") },
      handMadeManifest(
        { file: 'src/tools.ts', name: 'PageTools', id: 'pages', methods: findEntry },
        { file: 'src/other.ts', name: 'Other', methods: findEntry },
      ),
    );
    expect(await answer({ services: [made.load('bundle.js')['t']!] })).toBe('bundled');
  });

  test('two classes of one name are told apart by their files', async () => {
    const made = makePackage(
      {
        'dist/a/tools.js': service('Tools', find('a', "{ name: 'a' }")),
        'dist/b/tools.js': service('Tools', `@McpTool({ name: 'b' }) find(text) { return text; }`),
      },
      handMadeManifest(
        { file: 'src/a/tools.ts', name: 'Tools', methods: findEntry },
        { file: 'src/b/tools.ts', name: 'Tools', methods: { find: ['text'] } },
      ),
    );
    const services = [made.load('dist/a/tools.js')['Tools']!, made.load('dist/b/tools.js')['Tools']!];
    const server = await boot({ services });
    const inputs = server.tools.list().map(({ name, inputSchema }) => [name, inputSchema.required]);
    expect(inputs).toEqual([
      ['a', ['query']],
      ['b', ['text']],
    ]);
    await server.close(0);
  });

  test('a class that two modules export is one service', async () => {
    const made = makePackage(
      {
        'dist/tools.js': service('Tools', find('once')),
        'dist/index.js': `export { Tools } from './tools.js';`,
      },
      handMadeManifest({
        file: 'src/tools.ts',
        name: 'Tools',
        methods: findEntry,
        module: { path: 'dist/tools.js', export: 'Tools' },
      }),
    );
    const services = [made.load('dist/index.js')['Tools']!, made.load('dist/tools.js')['Tools']!];
    expect(await answer({ services })).toBe('once');
  });

  test('a class that could be either of two is a problem that lists both', async () => {
    const made = makePackage(
      { 'bundle.js': service('Tools', find('?')) },
      handMadeManifest(
        { file: 'src/a/tools.ts', name: 'Tools', methods: findEntry },
        { file: 'src/b/tools.ts', name: 'Tools', methods: findEntry },
      ),
    );
    expect(await problemsOf({ services: [made.load('bundle.js')['Tools']!] })).toEqual([
      {
        code: 'TW_MANIFEST_UNMATCHED',
        message: expect.stringMatching(/src\/a\/tools\.ts#Tools .*src\/b\/tools\.ts#Tools/),
        fix: expect.stringContaining("@McpService({ id: '…' })"),
        location: expect.stringMatching(/bundle\.js:\d+:\d+$/),
      },
    ]);
  });

  test('an inherited method is bound for each concrete class', async () => {
    const made = makePackage(
      {
        'dist/tools.js': `import { McpService, McpTool } from '@toolwright/core';
          class Base { @McpTool() find(query) { return this.text; } }
          @McpService() export class Derived extends Base { text = 'derived'; }`,
      },
      handMadeManifest({ file: 'src/tools.ts', name: 'Derived', methods: findEntry }),
    );
    expect(await answer({ services: [made.load('dist/tools.js')['Derived']!] })).toBe('derived');
  });
});

describe('where services come from', () => {
  const files = {
    'dist/tools.js': service('Tools', find('found')),
    'dist/tools.test.js': 'throw new Error()',
  };
  const manifest = handMadeManifest({
    file: 'src/tools.ts',
    name: 'Tools',
    methods: findEntry,
    module: { path: 'dist/tools.js', export: 'Tools' },
  });

  test('a directory of modules is scanned, tests left out', async () => {
    expect(await answer({ discover: makePackage(files, manifest).path('dist') })).toBe('found');
  });

  test("the manifest's own module list is imported", async () => {
    expect(await answer({ manifest: makePackage(files, manifest).path('mcp.manifest.json') })).toBe('found');
  });

  test('a provider compiles what a package needs', async () => {
    const made = makePackage(files);
    const asked: string[] = [];
    const provider = (directory: string) => {
      asked.push(directory);
      return manifest;
    };
    expect(await answer({ services: [made.load('dist/tools.js')['Tools']!], manifest: provider })).toBe(
      'found',
    );
    expect(asked).toEqual([made.directory]);
  });

  test('a hook that was loaded before the application provides manifests', async () => {
    const made = makePackage(files);
    const key = Symbol.for('toolwright.manifestProvider');
    const place = globalThis as { [key]?: () => Manifest };
    place[key] = () => manifest;
    try {
      expect(await answer({ services: [made.load('dist/tools.js')['Tools']!] })).toBe('found');
    } finally {
      delete place[key];
    }
  });

  test('a directory that is not there and a module that fails are both problems', async () => {
    const made = makePackage({ 'dist/broken.js': 'throw new Error("broken at load")' });
    const problems = await problemsOf({ discover: [made.path('nowhere'), made.path('dist')] });
    expect(problems.map(({ code, message }) => [code, message])).toEqual([
      ['TW_DISCOVER_FAILED', expect.stringContaining('nowhere')],
      ['TW_DISCOVER_FAILED', expect.stringContaining('broken at load')],
    ]);
  });
});

describe('manifests that do not fit', () => {
  test('a service without a manifest is a problem that names the command', async () => {
    const made = makePackage({ 'dist/tools.js': service('Tools', find('')) });
    expect(await problemsOf({ services: [made.load('dist/tools.js')['Tools']!] })).toEqual([
      {
        code: 'TW_MANIFEST_MISSING',
        message: 'There is no manifest for the service Tools.',
        fix: expect.stringContaining('npx toolwright build'),
        location: expect.stringContaining(made.path('dist/tools.js')),
      },
    ]);
  });

  test.each([
    ['a new method', `${find('')} @McpTool() list() {}`, 'list is not in it'],
    ['a removed method', '@McpTool() list() {}', 'list is not in it; find is no longer decorated'],
    ['a new parameter', `@McpTool() find(query, limit) {}`, 'find takes 2 parameters, not 1'],
  ])('%s makes a manifest stale', async (_, body, difference) => {
    const made = makePackage(
      { 'dist/tools.js': service('Tools', body) },
      handMadeManifest({ file: 'src/tools.ts', name: 'Tools', methods: findEntry }),
    );
    expect(await problemsOf({ services: [made.load('dist/tools.js')['Tools']!] })).toEqual([
      expect.objectContaining({ code: 'TW_MANIFEST_STALE', message: expect.stringContaining(difference) }),
    ]);
  });

  test('a method that another decorator wrapped is no reason to call a manifest stale', async () => {
    const wrap =
      'const Wrap = (t, k, d) => { const f = d.value; d.value = function (...a) { return f.apply(this, a); }; };';
    const made = makePackage(
      {
        'dist/tools.js': `${wrap} ${service('Tools', `@McpTool() @Wrap find(query) { return 'wrapped'; }`)}`,
      },
      handMadeManifest({ file: 'src/tools.ts', name: 'Tools', methods: findEntry }),
    );
    expect(await answer({ services: [made.load('dist/tools.js')['Tools']!] })).toBe('wrapped');
  });

  test('edited sources make a manifest stale, except in production', async () => {
    const manifest = handMadeManifest({ file: 'src/tools.ts', name: 'Tools', methods: findEntry });
    const made = makePackage({
      'dist/tools.js': service('Tools', find('current')),
      'src/tools.ts': 'before',
    });
    const sources = { sources: ['src/tools.ts'], sourceHash: hashSources(made.directory, ['src/tools.ts']) };
    made.write('mcp.manifest.json', JSON.stringify({ ...manifest, ...sources }));
    const services = [made.load('dist/tools.js')['Tools']!];
    const later = new Date(Date.now() + 60_000);
    utimesSync(made.path('src/tools.ts'), later, later);
    expect(await answer({ services })).toBe('current');
    made.write('src/tools.ts', 'after');
    utimesSync(made.path('src/tools.ts'), later, later);
    expect(await problemsOf({ services })).toEqual([
      expect.objectContaining({
        code: 'TW_MANIFEST_STALE',
        message: expect.stringContaining('src/tools.ts changed'),
      }),
    ]);
    const mode = process.env['NODE_ENV'];
    process.env['NODE_ENV'] = 'production';
    try {
      expect(await answer({ services })).toBe('current');
    } finally {
      process.env['NODE_ENV'] = mode;
    }
  });

  test('a manifest that cannot be read says why', async () => {
    const made = makePackage({ 'broken.json': '{' });
    expect(await problemsOf({ manifest: [made.path('broken.json'), made.path('none.json')] })).toEqual([
      expect.objectContaining({
        code: 'TW_MANIFEST_INVALID',
        message: expect.stringContaining('is not JSON'),
      }),
      expect.objectContaining({ code: 'TW_MANIFEST_INVALID', message: expect.stringContaining('none.json') }),
    ]);
  });
});

test('all problems of all services are reported at once, each with its place', async () => {
  const made = makePackage(
    {
      'dist/a.js': service('NoEntry', find('')),
      'dist/b.js': service('Stale', '@McpTool() other() {}'),
      'dist/c.js': service('Empty', 'nothing() {}'),
      'dist/d.js': service('Wrong', `@McpTool({ name: 'not valid' }) find(query) {}`),
      'dist/e.js': service('Poison', `@McpTool({ name: 'p', description: 'Fine.\\u200b' }) find(query) {}`),
      'dist/f.js': service('Same', `@McpTool({ name: 'p' }) find(query) {}`),
      'dist/g.js': service('Twice', `@McpTool() @McpTool() find(query) {}`),
      'dist/h.js': service(
        'Limits',
        `@McpTool({ name: 'h' }) @RateLimit({ points: -1, per: '1s' }) find(query) {}`,
      ),
      'dist/i.js': service('Uri', `@McpResource({ uri: 'relative' }) find(query) {}`),
      'dist/j.js': service('Template', `@McpResourceTemplate({ uriTemplate: 'page://{id}' }) find(query) {}`),
    },
    handMadeManifest(
      ...['Stale', 'Wrong', 'Poison', 'Same', 'Twice', 'Limits', 'Uri', 'Template'].map((name) => ({
        file: 'src/x.ts',
        name,
        methods: findEntry,
      })),
    ),
  );
  const services = 'abcdefghij'.split('').map((file) => Object.values(made.load(`dist/${file}.js`))[0]!);
  const problems = await problemsOf({ services });
  expect(
    problems.map(({ code, location }) => [code, /(\w+\.js):\d+:\d+$/.exec(location ?? '')?.[1]]),
  ).toEqual([
    ['TW_MANIFEST_UNMATCHED', 'a.js'],
    ['TW_MANIFEST_STALE', 'b.js'],
    ['TW_SERVICE_EMPTY', 'c.js'],
    ['TW_NAME_INVALID', 'd.js'],
    ['TW_TEXT_HIDDEN', 'e.js'],
    ['TW_DECORATOR_REPEATED', 'g.js'],
    ['TW_POLICY_INVALID', 'h.js'],
    ['TW_URI_INVALID', 'i.js'],
    ['TW_URI_INVALID', 'j.js'],
    ['TW_NAME_DUPLICATE', 'f.js'],
    ['TW_NAME_DUPLICATE', 'g.js'],
  ]);
});
