// A private package, such as packages/json, is not published. `pnpm build` writes what other packages use of it into
// their own `dist`, so that nobody has to install it:
//   code    the bundles contain it; a package that is not bundled gets one file, such as dist/json.js
//   types   copies of the declarations that it needs, such as dist/json/schema/json-schema.d.ts
import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { packagesOf } from './published.mjs';

/** The private packages of a workspace: for each name, its folder and its entry. */
export function privatePackages(root) {
  const all = packagesOf(root).filter(({ manifest }) => manifest.private);
  return all.map(({ folder, manifest: { name } }) => ({
    name,
    folder,
    source: join(root, 'packages', folder, 'src/index.ts'),
    types: join(root, 'packages', folder, 'dist'),
    // It is spelt as TypeScript writes it: 'name' in statements, "name" in types and calls.
    mention: new RegExp(`(["'])${name}\\1`),
  }));
}

/** The private packages that a package uses: it has them under `devDependencies`. */
export function usedBy({ devDependencies = {} }, inlined) {
  return inlined.filter(({ name }) => name in devDependencies);
}

/** The names that sources import from a package as values. */
export async function importedValues(sources, name) {
  const statement = new RegExp(`^(?:import|export) \\{([^}]*)\\} from '${name}';`, 'gm');
  const names = new Set();
  for (const file of await filesIn(sources, /(?<!\.test)\.ts$/)) {
    for (const [, list] of (await readFile(file, 'utf8')).matchAll(statement))
      for (const each of itemsOf(list)) if (!each.startsWith('type ')) names.add(each.split(' as ')[0]);
  }
  return [...names].sort();
}

/** Makes compiled files call the file of a private package beside them. `use` writes or compares a file. */
export async function inlineCode(dist, { mention, folder }, use) {
  for (const file of await filesIn(dist, /\.js$/)) {
    const text = await readFile(file, 'utf8');
    if (!mention.test(text)) continue;
    await use(file, text.replace(new RegExp(mention, 'g'), `"${pathTo(file, join(dist, `${folder}.js`))}"`));
  }
}

/**
 * Copies the declarations that a package needs of a private one, and leads its own declarations there. Only files
 * that are reached are copied: the others may need libraries that the package does not have. `lead` changes a file of
 * the compiler, `use` writes a copy; both may compare instead.
 */
export async function inlineTypes(dist, from, { use, lead }) {
  const copies = join(dist, from.folder);
  const places = await exportedFrom(join(from.types, 'index.d.ts'));
  const reached = new Set();
  const placeOf = (file, name) => {
    const place = places.get(name);
    if (!place) throw new Error(`${file}: ${from.name} exports no ${name}.`);
    reached.add(place);
    return pathTo(file, join(copies, place));
  };
  for (const file of await filesIn(dist, /\.d\.ts$/)) {
    if (file.startsWith(`${copies}/`)) continue;
    const text = await readFile(file, 'utf8');
    if (!from.mention.test(text)) continue;
    await lead(file, redirected(text, { from, placeOf: (name) => placeOf(file, name) }));
  }
  // Declarations of an earlier build already lead there.
  for (const file of await filesIn(dist, /\.d\.ts$/)) {
    if (file.startsWith(`${copies}/`)) continue;
    for (const target of relativeImports(file, await readFile(file, 'utf8')))
      if (target.startsWith(`${copies}/`)) reached.add(relative(copies, target));
  }
  for (const place of reached) {
    const original = join(from.types, place);
    const text = withoutIndex(
      (await readFile(original, 'utf8')).replace(/^\/\/# sourceMappingURL=.*\n?/m, ''),
      (name) => {
        const path = pathTo(original, join(from.types, places.get(name)));
        return `import("${path}").${name}`;
      },
    );
    for (const target of relativeImports(original, text)) reached.add(relative(from.types, target));
    await use(join(copies, place), text);
  }
  for (const file of existsSync(copies) ? await filesIn(copies, /./) : [])
    if (!reached.has(relative(copies, file))) await rm(file);
}

/** For each exported name, the file of its declaration. */
async function exportedFrom(index) {
  const places = new Map();
  for (const [, list, path] of (await readFile(index, 'utf8')).matchAll(
    /^export (?:type )?\{([^}]*)\} from '\.\/(.*)\.js';/gm,
  ))
    for (const each of itemsOf(list)) places.set(each.replace(/^type /, ''), `${path}.d.ts`);
  return places;
}

function redirected(text, { from: { name, mention }, placeOf }) {
  const statement = new RegExp(`^(import|export)( type)? \\{([^}]*)\\} from '${name}';`, 'gm');
  const type = new RegExp(`import\\("${name}"\\)\\.(\\w+)`, 'g');
  const changed = text
    .replace(statement, (_all, verb, kind = '', list) => {
      const byPlace = groupBy(itemsOf(list), (each) => placeOf(nameIn(each)));
      return [...byPlace]
        .map(([place, items]) => `${verb}${kind} { ${items.join(', ')} } from '${place}';`)
        .join('\n');
    })
    .replace(type, (_all, each) => `import("${placeOf(each)}").${each}`);
  if (mention.test(changed.replace(/\/\*[^]*?\*\//g, '')))
    throw new Error(`A declaration names ${name} in a way that nobody can follow:\n${changed}`);
  return changed;
}

function groupBy(items, keyOf) {
  const groups = new Map();
  for (const each of items) groups.set(keyOf(each), [...(groups.get(keyOf(each)) ?? []), each]);
  return groups;
}

function nameIn(item) {
  return item.replace(/^type /, '').split(' as ')[0];
}

function itemsOf(list) {
  return list
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

/** TypeScript writes types that it infers with the path of the index, which would bring every declaration along. */
function withoutIndex(text, place) {
  return text.replace(/import\("(?:\.\.?\/)+index\.js"\)\.(\w+)/g, (_all, name) => place(name));
}

function relativeImports(file, text) {
  return [...text.matchAll(/(?:from |import\()(["'])(\.[^"']+)\.js\1/g)].map(([, , path]) =>
    join(dirname(file), `${path}.d.ts`),
  );
}

function pathTo(file, target) {
  const path = relative(dirname(file), target).replace(/(\.d\.ts|\.js)$/, '.js');
  return path.startsWith('.') ? path : `./${path}`;
}

async function filesIn(folder, name) {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  return files
    .filter((each) => each.isFile() && name.test(each.name))
    .map((each) => join(each.parentPath, each.name));
}
