import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../../.ci/test/support/temporary-folder.js';
import { commands } from '../../src/commands';

let folder: string;
beforeEach(() => (folder = temporaryFolder()));

const petstore = readFileSync(join(__dirname, '../fixtures/petstore.yaml'), 'utf8');
const run = (text: string, file = 'petstore.yaml') => {
  writeFileSync(join(folder, file), text);
  const silent = () => {};
  return commands[0]!.run(file, { out: 'pets' }, { cwd: folder, out: silent, err: silent });
};
const tools = () => join(folder, 'pets/pets-tools.ts');
const edit = (from: string | RegExp, to: string) => {
  const before = readFileSync(tools(), 'utf8');
  expect(before).toMatch(from);
  writeFileSync(tools(), before.replace(from, to));
};

test.each([
  ['a line of its own', /^import \{/m, "import { RateLimit } from '@toolwright/core';\nimport {"],
  ['the line of the import', 'McpService, ', 'McpService, RateLimit, '],
])('guards that a class got by decorators stay, imported in %s', async (_name, from, to) => {
  expect(await run(petstore)).toBe(0);
  edit(from, to);
  edit('@McpService(', "@RateLimit({ points: 10, per: '1m' })\n@McpService(");
  // The line of the import changes, too: nothing has scopes any more.
  const changed = petstore
    .replace('security: [{ oauth: [pets] }]', 'security: []')
    .replace('summary: List pets', 'summary: List all of the pets')
    .replace('title: Petstore API', 'title: Animals');
  expect(changed).not.toBe(petstore);
  expect(await run(changed)).toBe(0);
  const text = readFileSync(tools(), 'utf8');
  expect(text).toMatch(/^import \{[^}]*\bRateLimit\b[^}]*\} from '@toolwright\/core';$/m);
  expect(text).toContain("@RateLimit({ points: 10, per: '1m' })\n@McpService(");
  expect(text).toContain('List all of the pets.');
});
