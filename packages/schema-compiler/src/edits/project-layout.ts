import { dirname, resolve } from 'node:path';
import { ts } from 'typescript-json-schema';
import { readConfig } from '../program/open-project.js';

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
