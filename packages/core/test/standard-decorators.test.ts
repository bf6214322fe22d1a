import { createMcpServer, type Logger, type Provider } from '@toolwright/core';
import { formatManifest } from '@toolwright/manifest';
import { compileModule } from './compile/compile-module.js';
import { handMadeManifest } from './packages/hand-made-manifest.js';
import { TemporaryPackage } from './packages/temporary-package.js';
import { StatelessWire } from './wire/stateless-wire.js';

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };

test('with standard decorators, constructor types come from the manifest', async () => {
  const { Tools } = compileModule(
    `import { McpService, McpTool } from '@toolwright/core';
     @McpService() export class Tools {
       constructor(private readonly store) {}
       @McpTool() find(query: string) { return this.store.find(query); }
     }`,
    'tsc',
    'standard',
  );
  const made = new TemporaryPackage({
    'dist/store.js': 'exports.Store = class Store { find(query) { return `found ${query}`; } };',
  });
  const manifest = handMadeManifest({
    file: 'src/tools.ts',
    name: 'Tools',
    methods: { find: ['query'] },
    constructorParameters: [{ name: 'store', type: 'Store', class: 'src/store.ts#Store' }],
  });
  Object.assign(manifest.classes, {
    'src/store.ts#Store': {
      name: 'Store',
      location: { file: 'src/store.ts', line: 1, column: 1 },
      module: { path: 'dist/store.js', export: 'Store' },
    },
  });
  made.write('mcp.manifest.json', formatManifest(manifest));
  const server = await createMcpServer({
    name: 'test',
    version: '1',
    logger: silent,
    services: [Tools!],
    manifest: made.path('mcp.manifest.json'),
    providers: [made.load('dist/store.js')['Store'] as unknown as Provider],
  });
  const { result } = await new StatelessWire(server).call('find', { query: 'it' });
  expect(result.content[0].text).toBe('found it');
  await server.close(0);
  made.remove();
});
