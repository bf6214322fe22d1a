import { handMadeManifest } from './packages/hand-made-manifest.js';
import { boot, serviceModule, temporaryPackages } from './support/booting.js';
import { RecordingLogger } from './support/recording-logger.js';

const makePackage = temporaryPackages();

/** What the boot says of a tool that is replaced by the given one, beside versions of `search_pages`. */
async function warnings(replacedBy: string) {
  const reads = "description: 'Finds.', annotations: { readOnlyHint: true }";
  const made = makePackage(
    {
      'dist/tools.js': serviceModule(
        'Tools',
        `@McpTool({ name: 'find_page', ${reads}, replacedBy: '${replacedBy}' }) find(query) {}
         @McpTool({ name: 'search_pages', version: '1', ${reads} }) one(query) {}
         @McpTool({ name: 'search_pages', version: '2', ${reads} }) two(query) {}`,
      ),
    },
    handMadeManifest({
      file: 'src/tools.ts',
      name: 'Tools',
      methods: { find: ['query'], one: ['query'], two: ['query'] },
    }),
  );
  const logger = new RecordingLogger();
  const server = await boot({ services: [made.load('dist/tools.js')['Tools']!], logger, audit: false });
  await server.close(0);
  return logger.lines.filter(({ level }) => level === 'warn').map(({ message }) => message);
}

test.each(['search_pages', 'search_pages.v1'])('a tool may be replaced by %s', async (name) => {
  expect(await warnings(name)).toEqual([]);
});

test('a boot says that the tool that replaces another one is missing, and names the nearest', async () => {
  expect(await warnings('serch_pages')).toEqual([
    `The tool "find_page" is replaced by "serch_pages", and there is no such tool so far. Did you mean 'search_pages'?`,
  ]);
});
