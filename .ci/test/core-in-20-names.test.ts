import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const page = readFileSync(join(root, 'docs/core-in-20-names.md'), 'utf8');
const names = [...page.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name!);
const snippets = [...page.matchAll(/^```ts.*\n([^]*?)^```$/gm)].map(([, text]) => text).join('\n');
const index = readFileSync(join(root, 'packages/core/src/index.ts'), 'utf8').match(/\w+/g);

test('there are twenty names', () => expect(new Set(names).size).toBe(20));

test.each(names)('core exports %s, and an example of the page uses it', (name) => {
  expect(index).toContain(name);
  expect(snippets.replace(/^import \{[^}]*\} from .*$/gm, '')).toMatch(new RegExp(`\\b${name}\\b`));
});
