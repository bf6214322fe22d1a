import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TemporaryProject } from '../../schema-compiler/test/temporary-project.js';
import { renames, upgradeProject, type NameRename, type Renames } from '../src/index.js';

const apps = join(__dirname, '../../../apps');

/** The apps with sources of their own. */
const names = readdirSync(apps).filter((name) => existsSync(join(apps, name, 'src')));

const sourcesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.d)\.ts$/.test(file) && !file.includes('node_modules'))
    .map((file) => join(folder, file));

const DECLARATION = /^(import|export) (type )?\{([^}]*)\} from '(@toolwright\/[^']+)';$/gm;

interface Item {
  name: string;
  local: string;
  isType: boolean;
}

function itemsOf(list: string, isAllTypes: boolean): Item[] {
  return list
    .split(',')
    .map((each) => /^(type )?(\w+)(?: as (\w+))?$/.exec(each.trim()))
    .filter((found) => found !== null)
    .map(([, type, name, alias]) => ({
      name: name!,
      local: alias ?? name!,
      isType: isAllTypes || type !== undefined,
    }));
}

/**
 * The row of the table for each name of today. A name that never changed gets a row that is made up, but not those by
 * which options are recognised.
 */
const recognised = ['createMcpServer', 'ServerOptions'];
const rows = new Map<string, NameRename>();
for (const row of renames.names) rows.set(`${row.to} ${row.newName}`, row);
const madeUp: NameRename[] = [];
for (const file of names.flatMap((name) => sourcesOf(join(apps, name, 'src'))))
  for (const [, , type, list, to] of readFileSync(file, 'utf8').matchAll(DECLARATION))
    for (const { name: newName } of itemsOf(list!, type !== undefined)) {
      const key = `${to} ${newName}`;
      if (rows.has(key) || recognised.includes(newName)) continue;
      const name = `${newName}Of${to!.replace(/\W/g, '_')}`;
      const row = { from: '@toolwright/before', name, to: to!, newName };
      rows.set(key, row);
      madeUp.push(row);
    }
const table: Renames = { ...renames, names: [...madeUp, ...renames.names] };

/** A source with the imports of before. Each name keeps what it is called in the file. */
function withOldImports(text: string): string {
  return text.replace(DECLARATION, (whole, keyword: string, type: string | undefined, list, module, at) =>
    isInTemplate(text, at as number)
      ? whole
      : itemsOf(list as string, type !== undefined)
          .map(({ name, local, isType }) => {
            const row = rows.get(`${module as string} ${name}`) ?? { name, from: module as string };
            const written = row.name === local ? local : `${row.name} as ${local}`;
            return `${keyword} ${isType ? 'type ' : ''}{ ${written} } from '${row.from}';`;
          })
          .join('\n'),
  );
}

/** Whether a place is in a text of a program that writes programs. */
function isInTemplate(text: string, at: number): boolean {
  return text.slice(0, at).split('`').length % 2 === 0;
}

/** Options that only have another name. */
const options = Object.entries(renames.options).filter(([before, now]) => !/[.:]/.test(before + now));

/** A source whose servers have all these options, with the names of before or of today. */
function withOptions(text: string, side: 0 | 1): string {
  const members = options.map((pair) => `${pair[side]}: undefined, `).join('');
  return text.replace(/\bcreateMcpServer\(\{/g, (call) => `${call} ${members}`);
}

const makesServer = (text: string) =>
  /\bcreateMcpServer\(\{/.test(text) && options.every(([, now]) => !text.includes(`${now}:`));

/** What a file imports, and the rest of it without blanks: the order of imports is a matter of taste. */
function contentOf(text: string): { imports: string[]; rest: string } {
  const imports: string[] = [];
  const rest = text.replace(
    DECLARATION,
    (_whole, keyword: string, type: string | undefined, list, module) => {
      for (const { name, local, isType } of itemsOf(list as string, type !== undefined))
        imports.push(`${keyword} ${isType ? 'type ' : ''}${name} as ${local} from ${module as string}`);
      return '';
    },
  );
  return { imports: [...new Set(imports)].sort(), rest: rest.replace(/\s+/g, ' ') };
}

test.each(names)('apps/%s, written with the names of before, gets those of today again', (name) => {
  const project = new TemporaryProject({}, { lib: ['es2023'], noResolve: true });
  try {
    const folder = join(project.root, 'src');
    cpSync(join(apps, name, 'src'), folder, { recursive: true });
    const expected = new Map<string, string>();
    for (const file of sourcesOf(folder)) {
      const text = readFileSync(file, 'utf8');
      expected.set(file, makesServer(text) ? withOptions(text, 1) : text);
      writeFileSync(file, withOldImports(makesServer(text) ? withOptions(text, 0) : text));
    }
    const { files, notes } = upgradeProject(project.project, table);
    expect(notes).toEqual([]);
    for (const { path, after } of files) writeFileSync(path, after);
    for (const [file, text] of expected)
      expect(contentOf(readFileSync(file, 'utf8'))).toEqual(contentOf(text));
  } finally {
    project.remove();
  }
});

test('the apps import many names, and make servers', () => {
  const texts = names
    .flatMap((name) => sourcesOf(join(apps, name, 'src')))
    .map((file) => readFileSync(file, 'utf8'));
  expect(texts.filter((text) => withOldImports(text) !== text).length).toBeGreaterThan(50);
  expect(texts.filter(makesServer).length).toBeGreaterThan(5);
});
