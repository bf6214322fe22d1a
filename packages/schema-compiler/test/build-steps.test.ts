import { buildManifest, lockFields } from '../src/index.js';
import { TemporaryProject } from './temporary-project.js';

const project = new TemporaryProject({
  'src/notes.ts': `import { McpTool } from '@toolwright/core';
export class Notes { /** Counts. */ @McpTool() count(): number { return 1; } }`,
  'package.json': JSON.stringify({ name: 'notes', dependencies: { units: '1', plain: '1' } }),
  'node_modules/units/package.json': '{ "exports": { "./build-step": "./build-step.js" } }',
  'node_modules/units/build-step.js': `exports.buildStep = {
    name: 'units',
    manifest: ({ manifest }) => ({ entries: manifest.entries.map(({ key }) => key), none: undefined }),
    lock: ({ manifest }) => ({ tools: manifest.entries.length }),
  };`,
  'node_modules/plain/package.json': '{ "main": "index.js" }',
  'node_modules/plain/index.js': 'throw new Error("is not loaded by a build");',
});
afterAll(() => project.remove());

const build = async (cache = false) => (await buildManifest({ project: project.project, cache })).manifest;

test('packages that the project depends on add fields to the manifest and to the lock', async () => {
  const manifest = await build();
  expect(manifest.extensions).toEqual({ units: { entries: ['src/notes.ts#Notes.count'] } });
  expect(lockFields({ root: project.root, manifest })).toEqual({ units: { tools: 1 } });
});

test('the fields are the same when the compilation comes from the cache', async () => {
  const first = await build(true);
  expect(await build(true)).toEqual(first);
  expect(first.extensions).toBeDefined();
});

test('a build step that fails is named', async () => {
  const wrong = new TemporaryProject({
    'src/notes.ts': 'export {};',
    'package.json': JSON.stringify({ name: 'notes', dependencies: { broken: '1' } }),
    'node_modules/broken/package.json': '{ "exports": { "./build-step": "./step.js" } }',
    'node_modules/broken/step.js': `exports.buildStep = {
      name: 'broken',
      manifest() { throw new Error('no units'); },
    };`,
  });
  const building = buildManifest({ project: wrong.project, cache: false });
  await expect(building).rejects.toThrow('The build step of broken failed: no units');
  wrong.remove();
});
