import { buildManifest } from '@toolwright/schema-compiler';
import { TemporaryProject } from '../temporary-project.js';

test('a manifest that the application imports does not depend on itself', async () => {
  const project = new TemporaryProject({
    'mcp.manifest.json': '{ "format": 0 }',
    'src/a.ts': `import manifest from '../mcp.manifest.json' with { type: 'json' };
      import { McpTool } from '@toolwright/core';
      export class Tools { /** Find. */ @McpTool() find(): number { return manifest.format } }`,
  });
  const { manifest } = await buildManifest({ project: project.project, cache: false });
  project.remove();
  expect(manifest.sources).toEqual(['src/a.ts']);
});
