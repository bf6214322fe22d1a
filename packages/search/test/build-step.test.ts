import { rmSync } from 'node:fs';
import { McpService, McpTool, type McpServer } from '@toolwright/core';
import { handMadeManifest } from '../../core/test/packages/hand-made-manifest.js';
import { boot } from '../../core/test/support/booting.js';
import { StatelessWire } from '../../core/test/wire/stateless-wire.js';
import { buildStep } from '../src/build-step.js';
import type { BuiltTools } from '../src/built-tools.js';
import { projectWithDictionary } from './support/small-dictionary.js';

let server: McpServer | undefined;
afterEach(async () => {
  await server?.close(0);
  server = undefined;
});

class Shelter {
  /** Adopt a dog. */
  @McpTool({ annotations: { destructiveHint: false } }) adoptDog() {}
}
const shelter = handMadeManifest({ file: 'src/shelter.ts', name: 'Shelter', methods: { adoptDog: [] } });
shelter.entries[0]!.description = 'Adopt a dog.';

const root = projectWithDictionary([
  { words: ['dog', 'hound'], gloss: 'an animal that barks; "the dog barked"', special: ['puppy'] },
  { words: ['puppy'], gloss: 'a young dog' },
]);
afterAll(() => rmSync(root, { recursive: true }));

const built = buildStep.manifest!({ root, manifest: shelter }) as BuiltTools;

test('a build counts the tokens of each tool, and finds other words for the words of its name', () => {
  expect(built.tokens).toEqual({ [shelter.entries[0]!.key]: expect.any(Number) });
  expect(built.synonyms).toMatchObject({ puppi: { dog: expect.any(Number) } });
});

test('it gives the same each time, as plain JSON', () => {
  const again = buildStep.manifest!({ root, manifest: shelter });
  expect(JSON.stringify(again)).toBe(JSON.stringify(built));
});

test('a project without tools has no field', () => {
  expect(buildStep.manifest!({ root: '/', manifest: { ...shelter, entries: [] } })).toBeUndefined();
});

test('a server finds tools by these words', async () => {
  const found = async (extensions: object) => {
    server = await boot({
      services: [Shelter],
      manifest: { ...shelter, extensions } as never,
      toolSearch: true,
    });
    const { result } = await new StatelessWire(server).call('search_tools', { query: 'puppy' });
    await server.close(0);
    return result.structuredContent.tools.length as number;
  };
  expect(await found({})).toBe(0);
  expect(await found({ '@toolwright/search': built })).toBe(1);
});

test('the tokens of a build decide whether a list is short', async () => {
  const key = shelter.entries[0]!.key;
  const listed = async (tokens: number) => {
    const extensions = { '@toolwright/search': { tokens: { [key]: tokens } } };
    const manifest = { ...shelter, extensions } as never;
    server = await boot({ services: [Shelter], manifest, toolSearch: { above: 500 } });
    const { result } = await new StatelessWire(server).request('tools/list');
    await server.close(0);
    return result.tools.length as number;
  };
  expect(await listed(500)).toBe(1);
  expect(await listed(501)).toBe(3);
});
