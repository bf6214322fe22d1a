import { dirname, resolve } from 'node:path';
import { ts } from 'typescript-json-schema';
import { readConfig } from '../program/open-project.js';

/** How a project writes its sources. */
export interface ProjectLayout {
  /** Absolute path of the tsconfig's folder. */
  root: string;
  /** Absolute paths of its sources, declarations excepted. */
  files: string[];
  /** What a relative import ends in: `.js`, or nothing. */
  importEnding: '.js' | '';
  /** Whether decorators get the types of constructors: `experimentalDecorators` and `emitDecoratorMetadata`. */
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

/** Node.js wants endings in ES modules; bundlers and CommonJS do not. */
function resolvesAsNode({ moduleResolution, module }: ts.CompilerOptions): boolean {
  const { Node16, NodeNext } = ts.ModuleResolutionKind;
  if (moduleResolution !== undefined) return moduleResolution >= Node16 && moduleResolution <= NodeNext;
  return module !== undefined && module >= ts.ModuleKind.Node16 && module <= ts.ModuleKind.NodeNext;
}
