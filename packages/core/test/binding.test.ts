import type { ServerOptions } from '@toolwright/core';
import { handMadeManifest } from './packages/hand-made-manifest.js';
import { answer, boot, findMethod, problemsOf, serviceModule, temporaryPackages } from './support/booting.js';

const makePackage = temporaryPackages();
const findEntry = { find: ['query'] };

/** The answer of the tool `find`, or of another tool. */
const answerFind = (options: Partial<ServerOptions>, name = 'find') => answer(options, name);

describe('a service class', () => {
  test('is found in the manifest of the package where the class was decorated', async () => {
    const made = makePackage(
      { 'dist/tools.js': serviceModule('Tools', findMethod('mine')) },
      handMadeManifest({ file: 'src/tools.ts', name: 'Tools', methods: findEntry }),
    );
    expect(await answerFind({ services: [made.load('dist/tools.js')['Tools']!] })).toBe('mine');
  });

  test('may be in the manifests of several packages', async () => {
    const [one, two] = ['one', 'two'].map((text) =>
      makePackage(
        { 'dist/tools.js': serviceModule('Tools', findMethod(text, `{ name: '${text}' }`)) },
        handMadeManifest({ file: 'src/tools.ts', name: 'Tools', methods: findEntry }),
      ),
    );
    const services = [one!.load('dist/tools.js')['Tools']!, two!.load('dist/tools.js')['Tools']!];
    expect(await answerFind({ services }, 'one')).toBe('one');
    expect(await answerFind({ services }, 'two')).toBe('two');
  });

  test('is recognised by module and export if the class is minified', async () => {
    const made = makePackage(
      {
        'dist/tools.js': `${serviceModule('t', findMethod('minified'))} exports.PageTools = t;`,
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
    expect(await answerFind({ services: [made.load('dist/index.js')['Renamed']!] })).toBe('minified');
  });

  test('is recognised by id if the class is bundled and minified', async () => {
    const made = makePackage(
      { 'bundle.js': serviceModule('t', findMethod('bundled'), "@McpService({ id: 'pages' })") },
      handMadeManifest(
        { file: 'src/tools.ts', name: 'PageTools', id: 'pages', methods: findEntry },
        { file: 'src/other.ts', name: 'Other', methods: findEntry },
      ),
    );
    expect(await answerFind({ services: [made.load('bundle.js')['t']!] })).toBe('bundled');
  });

  test('is recognised by file if two classes have the same name', async () => {
    const made = makePackage(
      {
        'dist/a/tools.js': serviceModule('Tools', findMethod('a', "{ name: 'a' }")),
        'dist/b/tools.js': serviceModule('Tools', `@McpTool({ name: 'b' }) find(text) { return text; }`),
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

  test('is one service if two modules export the class', async () => {
    const made = makePackage(
      {
        'dist/tools.js': serviceModule('Tools', findMethod('once')),
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
    expect(await answerFind({ services })).toBe('once');
  });

  test('is a problem that lists both if it could be either of two', async () => {
    const made = makePackage(
      { 'bundle.js': serviceModule('Tools', findMethod('?')) },
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

  test('has an inherited method for each concrete class', async () => {
    const made = makePackage(
      {
        'dist/tools.js': `import { McpService, McpTool } from '@toolwright/core';
          class Base { @McpTool() find(query) { return this.text; } }
          @McpService() export class Derived extends Base { text = 'derived'; }`,
      },
      handMadeManifest({ file: 'src/tools.ts', name: 'Derived', methods: findEntry }),
    );
    expect(await answerFind({ services: [made.load('dist/tools.js')['Derived']!] })).toBe('derived');
  });
});
