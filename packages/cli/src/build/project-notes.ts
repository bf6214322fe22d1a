import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { sortByReferences } from '@toolwright/json';
import type { ConstructorParameter, Manifest, ManifestClass } from '@toolwright/manifest';
import { parse } from 'jsonc-parser';
import { currentText } from '../changes/file-change.js';
import type { BuildDiagnostic } from './boot-diagnostics.js';

/**
 * What no schema shows: a class that nobody serves, and services that need each other over several modules.
 *
 * @param root folder of the project
 */
export function findProjectWarnings(root: string, manifest: Manifest): BuildDiagnostic[] {
  return [...findUnserved(root, manifest), ...findCircles(manifest)];
}

const isTest = (path: string) => /\.(test|spec)\.[cm]?tsx?$|(^|\/)(tests?|__tests__)\//.test(path);

/**
 * Classes that a project with a server names nowhere. It is said only where no other way leads to them: a project
 * without `createMcpServer` is a library, or an app of another framework; `discover` finds classes by itself.
 */
export function findUnserved(root: string, { sources = [], classes, entries }: Manifest): BuildDiagnostic[] {
  const texts = new Map(
    sources.filter((path) => !isTest(path)).map((path) => [path, code(currentText(join(root, path)) ?? '')]),
  );
  const all = [...texts.values()];
  if (
    !all.some((text) => /\bcreateMcpServer\s*\(/.test(text)) ||
    all.some((text) => /\bdiscover\b/.test(text))
  )
    return [];
  const keys = [...new Set(entries.map((entry) => entry.class))];
  return keys.flatMap((key) => {
    const found = classes[key];
    const text = found && texts.get(found.location.file);
    if (text === undefined) return [];
    const name = found!.name.split('.').at(-1)!;
    if (
      isNamed(name, text) ||
      [...texts].some(
        ([path, each]) => path !== found!.location.file && leadsTo(each, name, found!.location.file),
      )
    )
      return [];
    const message = `No server lists ${name}. Add it to the services of createMcpServer: services: [${name}].`;
    return [{ code: 'TW_SERVICE_UNSERVED', severity: 'warning', message, ...found!.location }];
  });
}

/** Without comments: they name classes, too. */
const code = (text: string) => text.replace(/\/\*[^]*?\*\/|(^|\s)\/\/.*$/gm, ' ');

/** Whether the file of a class uses it, apart from its declaration. */
const isNamed = (name: string, text: string) =>
  new RegExp(`\\b${name}\\b`).test(text.replace(new RegExp(`\\bclass\\s+${name}\\b`), ''));

/** Whether a file names the class, or takes everything that its file exports. */
function leadsTo(text: string, name: string, file: string): boolean {
  if (new RegExp(`\\b${name}\\b`).test(text)) return true;
  const module = basename(file, extname(file)).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(\\*[^'"\n]*from\\s*|import\\(\\s*)['"][^'"]*${module}(\\.[cm]?js)?['"]`).test(text);
}

/**
 * Classes of several modules that need each other: by their constructors, by the types of decorated properties, by their
 * base classes. ES modules of such a circle end with a ReferenceError when they load.
 */
export function findCircles({ classes, entries }: Manifest): BuildDiagnostic[] {
  const services = new Set(entries.map((entry) => entry.class));
  const needs = (key: string) => {
    const { base, loads = [] } = classes[key]!;
    const needed = [...parametersOf(classes[key]).map(({ class: each }) => each), ...loads, base];
    return [...new Set(needed)].filter(
      (each) => each !== undefined && classes[each] !== undefined,
    ) as string[];
  };
  // Classes of arguments are needed by no service, but they are loaded with it.
  const holders = Object.keys(classes).filter((key) => classes[key]!.loads);
  return sortByReferences(new Set([...services, ...holders]), needs).flatMap(({ members }) => {
    const files = new Set(members.map((key) => classes[key]!.location.file));
    const first = members.filter((key) => services.has(key)).sort()[0] ?? [...members].sort()[0];
    if (files.size < 2 || first === undefined) return [];
    const way = circleOf(first, new Set(members), needs);
    const names = way.map((key) => classes[key]!.name);
    const places = way.slice(1).map((key) => placeOf(classes[key]!));
    const message =
      `${names.join(' needs ')}: a circle over ${files.size} modules (${places.join(', ')}). ES modules in a circle end with ` +
      `"ReferenceError: Cannot access '${names[0]!}' before initialization", or with the name of another of these classes, because one ` +
      `class is not there yet when the other is declared. ${remedyOf(way.map((key) => classes[key]!))}`;
    return [{ code: 'TW_DEPENDENCY_CIRCULAR', severity: 'warning', message, ...classes[first]!.location }];
  });
}

/** The types of decorated properties are in the code only because of their metadata. */
function remedyOf(way: readonly ManifestClass[]): string {
  return way.some(({ loads }) => loads)
    ? 'Import one of the types with `import type`, or declare the property with an alias (`type Later = Other`): then its metadata names no class.'
    : 'Move the common part into a third class.';
}

const placeOf = ({ name, location: { file, line } }: ManifestClass) => `${name}: ${file}:${line}`;

/** What the constructor of a class takes. Every object has a member of the name `constructor`. */
export function parametersOf(definition: ManifestClass | undefined): readonly ConstructorParameter[] {
  return definition && Object.hasOwn(definition, 'constructor') ? (definition.constructor ?? []) : [];
}

/** A way from a class back to itself. */
function circleOf(first: string, inside: ReadonlySet<string>, needs: (key: string) => string[]): string[] {
  const before = new Map<string, string>();
  const queue = [first];
  for (const key of queue)
    for (const next of needs(key).filter((each) => inside.has(each))) {
      if (next === first) {
        const way = [first];
        for (let at = key; ; at = before.get(at)!) {
          way.unshift(at);
          if (at === first) return way;
        }
      }
      if (!before.has(next)) queue.push((before.set(next, key), next));
    }
  return [first];
}

interface Options {
  strict?: boolean;
  strictNullChecks?: boolean;
  experimentalDecorators?: boolean;
}

/**
 * What the options of a tsconfig take away, in words that name the option.
 *
 * @param typescript the version that compiles the project
 */
export function projectNotes(project: string, typescript: string): string[] {
  // Since TypeScript 6, `strict` is on.
  const {
    strict = parseInt(typescript, 10) >= 6,
    strictNullChecks = strict,
    experimentalDecorators,
  } = optionsOf(project);
  const file = basename(project);
  return [
    ...(strictNullChecks
      ? []
      : [
          `note: "strict" is off in ${file}, so TypeScript drops null and undefined from types, and schemas do not allow them. Set "strict": true.`,
        ]),
    ...(experimentalDecorators
      ? []
      : [
          `note: "experimentalDecorators" is off in ${file}. Decorators of classes and methods work; those of parameters (@Inject, @Schema, @Arg) need "experimentalDecorators": true and "emitDecoratorMetadata": true.`,
        ]),
  ];
}

/** The options with those of the files that the tsconfig extends. They are read without the compiler, which a warm build does not load. */
function optionsOf(project: string, depth = 0): Options {
  const text = currentText(project);
  const read = (text === undefined ? {} : parse(text)) as {
    extends?: string | string[];
    compilerOptions?: Options;
  };
  const bases =
    depth > 16 ? [] : [read.extends ?? []].flat().map((name) => optionsOf(pathOf(name, project), depth + 1));
  return Object.assign({}, ...bases, read.compilerOptions) as Options;
}

function pathOf(name: string, from: string): string {
  if (/^[./]/.test(name)) {
    const path = resolve(dirname(from), name);
    return (
      [path, `${path}.json`, join(path, 'tsconfig.json')].find(
        (each) => /\.json$/.test(each) && existsSync(each),
      ) ?? path
    );
  }
  const load = createRequire(from);
  for (const id of [name, `${name}.json`, `${name}/tsconfig.json`])
    try {
      return load.resolve(id);
    } catch {
      // The next form.
    }
  return name;
}
