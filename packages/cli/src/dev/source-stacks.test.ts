import { SourceStacks } from './source-stacks.js';

test('every form of a place names the source: of a stack, of a problem, and alone', () => {
  const stacks = new SourceStacks('/app');
  const map = { version: 3, sources: ['../src/a.ts'], names: [], mappings: ';;AAEE' };
  stacks.take([['/app/dist/a.js', JSON.stringify(map)]]);
  for (const [compiled, source] of [
    ['/app/dist/a.js:3:1', 'src/a.ts:3:3'],
    ['    at run (/app/dist/a.js:3:1)', '    at run (src/a.ts:3:3)'],
    ['    at file:///app/dist/a.js:3:1', '    at src/a.ts:3:3'],
    ['    at run (/app/dist/a.js:3:1) {', '    at run (src/a.ts:3:3) {'],
    ['  /app/dist/a.js:3:1: TW_TYPE: No schema.', '  src/a.ts:3:3: TW_TYPE: No schema.'],
  ] as const)
    expect(stacks.inSources(`Problems:\n${compiled}\nmore`)).toBe(`Problems:\n${source}\nmore`);
});
