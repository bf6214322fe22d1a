import { dirname, relative, resolve, sep } from 'node:path';
import { readConfig, ts } from '@toolwright/schema-compiler/project';
import { indentAt, insertAll } from './insertion.js';

/** How the sources of a project are written. */
export interface ProjectLayout {
  /** Absolute path of the tsconfig's folder. */
  root: string;
  /** Absolute paths of its sources, without declaration files. */
  files: string[];
  /** The ending of a relative import: `.js`, or nothing. */
  importEnding: '.js' | '';
  /**
   * Whether decorators of parameters compile: `experimentalDecorators`.
   */
  decorators: boolean;
}

/** @throws {ProjectError} the tsconfig cannot be read */
export function projectLayout(configFile: string): ProjectLayout {
  const path = resolve(configFile);
  const { options, fileNames } = readConfig(path);
  return {
    root: dirname(path),
    files: fileNames.map((name) => resolve(name)).filter((name) => !/\.d\.[cm]?ts$/.test(name)),
    importEnding: resolvesAsNode(options) ? '.js' : '',
    decorators: options.experimentalDecorators === true,
  };
}

/** Node.js requires file endings in ES modules; bundlers and CommonJS do not. */
function resolvesAsNode({ moduleResolution, module }: ts.CompilerOptions): boolean {
  const { Node16, NodeNext } = ts.ModuleResolutionKind;
  if (moduleResolution !== undefined) return moduleResolution >= Node16 && moduleResolution <= NodeNext;
  return module !== undefined && module >= ts.ModuleKind.Node16 && module <= ts.ModuleKind.NodeNext;
}

/**
 * Adds options to a tsconfig, before the existing ones. Comments stay.
 *
 * @returns undefined if the file has no `compilerOptions` of its own, or none that options can be added to
 */
export function addCompilerOptions(
  text: string,
  options: Readonly<Record<string, boolean>>,
): string | undefined {
  const { file, members } = membersOf(text);
  const own = members.get('compilerOptions')?.initializer;
  if (!own || !ts.isObjectLiteralExpression(own)) return undefined;
  const [first] = own.properties;
  if (!first) return undefined;
  const start = first.getStart(file);
  // The blanks between the brace and the first option also separate the options.
  const gap = /\s*$/.exec(text.slice(0, start))![0];
  const lines = Object.entries(options).map(([name, value]) => `"${name}": ${value},${gap}`);
  return insertAll(text, [{ at: start, text: lines.join('').replaceAll('\r\n', '\n') }]);
}

/**
 * Leaves a folder out of a project. Comments stay.
 *
 * @param text of the tsconfig
 * @param folder relative to the tsconfig
 * @returns the same text if the folder is left out already; undefined if the list cannot be changed
 */
export function excludeFolder(path: string, text: string, folder: string): string | undefined {
  const { file, members } = membersOf(text);
  const { raw, options } = readConfig(path) as { raw?: Lists; options: ts.CompilerOptions };
  // A list of files names each one, and a new file is in none.
  if (raw?.files && !raw.include) return text;
  // The lists of a file that is extended count, too.
  const before = raw?.exclude ?? [];
  if (before.some((each) => plainly(each) === folder)) return text;
  const own = members.get('exclude')?.initializer;
  if (own) {
    if (!ts.isArrayLiteralExpression(own)) return undefined;
    const last = own.elements.at(-1);
    return last
      ? insertAll(text, [{ at: last.getEnd(), text: `, ${JSON.stringify(folder)}` }])
      : insertAll(text, [{ at: own.getEnd() - 1, text: JSON.stringify(folder) }]);
  }
  const last = [...members.values()].at(-1);
  if (!last) return undefined;
  // A list replaces what the compiler leaves out by itself.
  const outDir =
    options.outDir === undefined ? [] : [relative(dirname(path), options.outDir).split(sep).join('/')];
  const usual = raw?.exclude ?? (raw?.include ? [] : ['node_modules', ...outDir]);
  const names = [...usual, folder].map((each) => JSON.stringify(each)).join(', ');
  const start = last.getStart(file);
  const line = `\n${indentAt(text, start)}`;
  const gap = text.slice(0, start).endsWith(line) ? line : ' ';
  return insertAll(text, [{ at: last.getEnd(), text: `,${gap}"exclude": [${names}]` }]);
}

interface Lists {
  readonly files?: readonly string[];
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
}

/** `./src/views/**` means the same as `src/views`. */
const plainly = (pattern: string) => pattern.replace(/^\.\//, '').replace(/\/(?:\*\*(?:\/\*)?)?$/, '');

/** The members of a JSON file, in their order. */
function membersOf(text: string): { file: ts.JsonSourceFile; members: Map<string, ts.PropertyAssignment> } {
  const file = ts.parseJsonText('tsconfig.json', text);
  const root = file.statements[0]?.expression;
  const properties = root && ts.isObjectLiteralExpression(root) ? [...root.properties] : [];
  const members = properties
    .filter(ts.isPropertyAssignment)
    .map((each) => [ts.isStringLiteral(each.name) ? each.name.text : '', each] as const);
  return { file, members: new Map(members) };
}
