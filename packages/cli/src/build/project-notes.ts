import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { escapePattern, schemaOf, unmarkedSecrets } from '@toolwright/json';
import type { Manifest } from '@toolwright/manifest';
import { parse } from 'jsonc-parser';
import type { BuildDiagnostic } from './boot-diagnostics.js';
import { findCircles } from './circles.js';
import { currentText } from '@toolwright/operate/terminal';

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
  const module = escapePattern(basename(file, extname(file)));
  return new RegExp(`(\\*[^'"\n]*from\\s*|import\\(\\s*)['"][^'"]*${module}(\\.[cm]?js)?['"]`).test(text);
}

/** Arguments that look like secrets and have no mark, in one note. `toolwright lint` says it for each tool. */
export function secretsNote(manifest: Manifest): string[] {
  const found = manifest.entries.flatMap(({ input, method, location: { file, line, column } }) =>
    unmarkedSecrets(schemaOf(manifest, input) ?? {}).map(
      (name) => `${name} of ${method} (${file}:${line}:${column})`,
    ),
  );
  if (found.length === 0) return [];
  return [
    `note: Arguments that look like secrets have no mark: ${found.join(', ')}. Write @Sensitive() before each, or @sensitive in its comment: then logs, traces and the audit do not show it.`,
  ];
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
          `note: "experimentalDecorators" is off in ${file}. Decorators of classes and methods work; those of parameters (@Inject, @Schema, @Arg) need "experimentalDecorators": true.`,
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
