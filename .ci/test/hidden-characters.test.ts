import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const root = join(__dirname, '../..');

/** What a table of hidden characters is made of, as code or as a text of a pattern. */
const TABLE =
  /\\u200[b-f]|\\u20(?:2[a-e]|6[0-9a-f])|\\u(?:00ad|034f|115f|3164)|\\u\{?e0(?:0[0-7]|[1-9a-f])|\\p\{(?:c|cf|other|format|di|(?:gc|general_category)=(?:c|cf|other|format)|default_ignorable_code_point)\}/i;

/** Files that name such characters, and are no table of what hides. */
const others: Readonly<Record<string, string>> = {
  'packages/audit/src/contract/record-sink-contract.ts': 'a record that has one',
  'packages/operate/src/terminal/text-width.ts': 'how many columns a character takes',
};

function sources(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.[cm]?[jt]sx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .map((file) => join(folder, file));
}

const all = readdirSync(join(root, 'packages'))
  .flatMap((name) => ['src', 'web'].flatMap((part) => sources(join(root, 'packages', name, part))))
  .map((file) => ({ name: relative(root, file).replaceAll('\\', '/'), text: readFileSync(file, 'utf8') }));
const withTable = all.filter(({ text }) => TABLE.test(text)).map(({ name }) => name);

test('what hides in a text is defined in json/text alone', () => {
  expect(
    withTable.filter((name) => !name.startsWith('packages/json/src/text/') && !(name in others)),
  ).toEqual([]);
});

test('no file is left out of this rule that does not need it', () => {
  expect(Object.keys(others).filter((name) => !withTable.includes(name))).toEqual([]);
});
