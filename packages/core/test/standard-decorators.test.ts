import { createMcpServer, type Provider } from '@toolwright/core';
import { formatManifest } from '@toolwright/manifest';
import { type Logger, silentLogger } from '@toolwright/core/ports';
import { compileModule } from './compile/compile-module.js';
import { handMadeManifest } from './packages/hand-made-manifest.js';
import { TemporaryPackage } from './packages/temporary-package.js';
import { StatelessWire } from './wire/stateless-wire.js';

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
    logger: silentLogger,
    services: [Tools!],
    manifest: made.path('mcp.manifest.json'),
    providers: [made.load('dist/store.js')['Store'] as unknown as Provider],
  });
  const { result } = await new StatelessWire(server).call('find', { query: 'it' });
  expect(result.content[0].text).toBe('found it');
  await server.close(0);
  made.remove();
});

test('with standard decorators, a schema for all arguments stands in an option or on the method', async () => {
  const { Tools } = compileModule(
    `import { McpService, McpTool, Schema } from '@toolwright/core';
     const schema = { '~standard': {
       version: 1,
       vendor: 'own',
       validate: ({ query }) => query === 'no' ? { issues: [{ message: 'no!', path: ['query'] }] } : { value: { query: query.trim(), limit: 3 } },
       jsonSchema: { input: () => ({ type: 'object', properties: { query: { type: 'string', maxLength: 9 } } }) },
     } };
     @McpService() export class Tools {
       @McpTool({ inputSchema: schema }) find(query, limit) { return query + limit; }
       @McpTool() @Schema(schema) search(query, limit) { return query + limit; }
     }`,
    'tsc',
    'standard',
  );
  const methods = { find: ['query', 'limit'], search: ['query', 'limit'] };
  const manifest = handMadeManifest({ file: 'src/tools.ts', name: 'Tools', methods });
  const server = await createMcpServer({
    name: 'test',
    version: '1',
    logger: silentLogger,
    services: [Tools!],
    manifest,
  });
  const wire = new StatelessWire(server);
  for (const name of ['find', 'search']) {
    const text = async (query: string) => (await wire.call(name, { query })).result.content[0].text as string;
    expect(await text(' it ')).toBe('it3');
    expect(await text('no')).toContain('- query: no!');
    expect(await text('0123456789')).toContain('- query: expected at most 9 characters');
    expect(server.explain(name)!.input.properties).toEqual({ query: { type: 'string', maxLength: 9 } });
  }
  await server.close(0);
});
