import { resolve } from 'node:path';
import { readConfig, ts } from '@toolwright/schema-compiler/project';
import type { MigrationNote } from '../migrate/migration.js';
import { Rewriter } from '../migrate/rewriter.js';
import { findOptionLiterals, type OptionRoots } from './option-literals.js';
import { renameImports } from './rename-imports.js';
import { renameOptions } from './rename-options.js';
import { renames, type Renames } from './table.js';

/** The result of an upgrade. Nothing is written. */
export interface Upgrade {
  /** The files that change, with absolute paths. */
  files: { path: string; before: string; after: string }[];
  /** What a person has to change, by file and line. */
  notes: MigrationNote[];
}

/**
 * Plans the way from the names of earlier releases to those of this one: names that are imported from
 * `@toolwright/*`, and options of `createMcpServer`. It looks at the sources that the tsconfig names.
 *
 * @param configFile path of the tsconfig
 * @param table other renames than those of Toolwright
 * @throws {ProjectError} the tsconfig cannot be read
 */
export function upgradeProject(configFile: string, table: Renames = renames): Upgrade {
  const path = resolve(configFile);
  const { options, fileNames } = readConfig(path);
  const program = ts.createProgram(fileNames, { ...options, noEmit: true });
  const checker = program.getTypeChecker();
  const context = { checker, renames: table };
  const own = new Set(fileNames.map((name) => resolve(name)));
  const files = program
    .getSourceFiles()
    .filter(({ fileName, isDeclarationFile }) => !isDeclarationFile && own.has(resolve(fileName)));
  const rewriters = new Map(files.map((file) => [file, new Rewriter(file)]));
  const literals: OptionRoots = new Map();
  const notes: MigrationNote[] = [];
  for (const [file, rewriter] of rewriters) {
    notes.push(...renameImports(file, rewriter, context));
    findOptionLiterals(file, checker, literals);
  }
  notes.push(...renameOptions(literals, (file) => rewriters.get(file), context));
  return {
    files: [...rewriters].flatMap(([file, rewriter]) => {
      const after = withLineEndsOf(file.text, rewriter.render(0, file.getEnd()));
      return after === file.text ? [] : [{ path: resolve(file.fileName), before: file.text, after }];
    }),
    notes: notes.sort((a, b) => a.file.localeCompare(b.file) || a.offset - b.offset),
  };
}

function withLineEndsOf(before: string, text: string): string {
  return before.includes('\r\n') ? text.replace(/\r?\n/g, '\r\n') : text;
}
