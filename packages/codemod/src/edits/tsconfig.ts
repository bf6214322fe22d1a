import { dirname, resolve } from 'node:path';
import { readConfig, ts } from '@toolwright/schema-compiler/project';
import { insertAll } from './insertion.js';

/** How the sources of a project are written. */
export interface ProjectLayout {
  /** Absolute path of the tsconfig's folder. */
  root: string;
  /** Absolute paths of its sources, without declaration files. */
  files: string[];
  /** The ending of a relative import: `.js`, or nothing. */
  importEnding: '.js' | '';
  /**
   * Whether decorators see the types of constructor parameters: `experimentalDecorators` and
   * `emitDecoratorMetadata`.
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
    decorators: options.experimentalDecorators === true && options.emitDecoratorMetadata === true,
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
  const file = ts.parseJsonText('tsconfig.json', text);
  const root = file.statements[0]?.expression;
  if (!root || !ts.isObjectLiteralExpression(root)) return undefined;
  const own = root.properties
    .filter(ts.isPropertyAssignment)
    .find(({ name }) => ts.isStringLiteral(name) && name.text === 'compilerOptions')?.initializer;
  if (!own || !ts.isObjectLiteralExpression(own)) return undefined;
  const [first] = own.properties;
  if (!first) return undefined;
  const start = first.getStart(file);
  // The blanks between the brace and the first option also separate the options.
  const gap = /\s*$/.exec(text.slice(0, start))![0];
  const lines = Object.entries(options).map(([name, value]) => `"${name}": ${value},${gap}`);
  return insertAll(text, [{ at: start, text: lines.join('').replaceAll('\r\n', '\n') }]);
}
