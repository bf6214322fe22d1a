// A private package, such as packages/json, is not published. `pnpm build` writes what other packages use of it into
// their own `dist`, so that nobody has to install it:
//   code    the bundles contain it; a package that is not bundled gets one file, such as dist/json.js
//   types   copies of the declarations that it needs, such as dist/json/schema/json-schema.d.ts
import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { packagesOf } from './published.mjs';

/**
 * The private packages of a workspace: for each name, its folder and its entry. A package without an index is imported by
 * the paths of its files.
 */
export function privatePackages(root) {
  const all = packagesOf(root).filter(({ manifest }) => manifest.private);
  return all.map(({ folder, manifest: { name } }) => {
    const sources = join(root, 'packages', folder, 'src');
    const index = join(sources, 'index.ts');
    return {
      name,
      folder,
      source: existsSync(index) ? index : sources,
      types: join(root, 'packages', folder, 'dist'),
      // It is spelt as TypeScript writes it: 'name' in statements, "name" in types and calls.
      mention: new RegExp(`(["'])${name}(?:/([\\w./-]+))?\\1`),
    };
  });
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
 * Copies the declarations that a package needs of private ones, and leads its own declarations there. Only files that
 * are reached are copied: the others may need libraries that the package does not have. A copy may name another private
 * package, and is led to that one's copies. `lead` changes a file of the compiler, `use` writes a copy; both may compare
 * instead.
 */
export async function inlineTypes(dist, used, { use, lead }) {
  const sources = await Promise.all(used.map(async (from) => ({ ...from, names: await exportedFrom(from) })));
  const copiesOf = ({ folder }) => join(dist, folder);
  const ownFiles = (await filesIn(dist, /\.d\.ts$/)).filter(
    (file) => !sources.some((from) => file.startsWith(`${copiesOf(from)}/`)),
  );
  /** For each copy, what it is a copy of. */
  const reached = new Map();
  const reach = (from, place) => {
    const copy = join(copiesOf(from), place);
    reached.set(copy, { from, place });
    return copy;
  };
  const led = (file, text) =>
    sources.reduce((changed, from) => redirected(file, changed, { from, reach }), text);

  for (const file of ownFiles) {
    const text = await readFile(file, 'utf8');
    const changed = led(file, text);
    if (changed !== text) await lead(file, changed);
    // Declarations of an earlier build already lead there.
    for (const target of relativeImports(file, text))
      for (const from of sources)
        if (target.startsWith(`${copiesOf(from)}/`)) reach(from, relative(copiesOf(from), target));
  }
  for (const [copy, { from, place }] of reached) {
    const original = join(from.types, place);
    const text = withoutIndex(
      (await readFile(original, 'utf8')).replace(/^\/\/# sourceMappingURL=.*\n?/m, ''),
      (name) => `import("${pathTo(original, join(from.types, from.names.get(name)))}").${name}`,
    );
    for (const target of relativeImports(original, text)) reach(from, relative(from.types, target));
    await use(copy, led(copy, text));
  }
  for (const from of sources)
    for (const file of existsSync(copiesOf(from)) ? await filesIn(copiesOf(from), /./) : [])
      if (!reached.has(file)) await rm(file);
}

/** For each exported name, the file of its declaration. */
async function exportedFrom({ types }) {
  const places = new Map();
  const index = join(types, 'index.d.ts');
  if (!existsSync(index)) return places;
  for (const [, list, path] of (await readFile(index, 'utf8')).matchAll(
    /^export (?:type )?\{([^}]*)\} from '\.\/(.*)\.js';/gm,
  ))
    for (const each of itemsOf(list)) places.set(each.replace(/^type /, ''), `${path}.d.ts`);
  return places;
}

/** Leads a declaration to the copies of what it names of a private package. */
function redirected(file, text, { from, reach }) {
  const { name, mention, names } = from;
  if (!mention.test(text)) return text;
  const placeOf = (each) => {
    const place = names.get(each);
    if (!place) throw new Error(`${file}: ${name} exports no ${each}.`);
    return pathTo(file, reach(from, place));
  };
  const statement = new RegExp(`^(import|export)( type)? \\{([^}]*)\\} from '${name}';`, 'gm');
  const type = new RegExp(`import\\("${name}"\\)\\.(\\w+)`, 'g');
  const changed = text
    .replace(new RegExp(mention, 'g'), (all, quote, path) =>
      path ? `${quote}${pathTo(file, reach(from, `${path}.d.ts`))}${quote}` : all,
    )
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
