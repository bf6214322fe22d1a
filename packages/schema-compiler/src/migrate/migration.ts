import type { ts } from 'typescript-json-schema';
import type { Refusal } from './refusal.js';

/** Something that was left as it is, or that is left to do. */
export interface MigrationNote {
  /** Absolute path. */
  file: string;
  /** Where it is, in characters from the start of the file. */
  offset: number;
  /** Counted from 1. */
  line: number;
  column: number;
  /** What it is about, such as `tool "read_file"`. */
  subject: string;
  reason: string;
  advice: string;
}

/** What became of the registrations. */
export interface MigrationCount {
  /** By kind: tool, resource, resource template, prompt. */
  kind: string;
  found: number;
  converted: number;
}

export interface MigratedFile {
  /** Absolute path. */
  path: string;
  before: string;
  after: string;
  /** The new class. */
  className: string;
}

/** The result of a migration. Nothing is written. */
export interface Migration {
  files: MigratedFile[];
  notes: MigrationNote[];
  counts: MigrationCount[];
}

/** A note about what stands at a node. */
export function noteAt(
  node: ts.Node,
  subject: string,
  { reason, advice }: Pick<Refusal, 'reason' | 'advice'>,
): MigrationNote {
  const file = node.getSourceFile();
  const offset = node.getStart(file);
  const { line, character } = file.getLineAndCharacterOfPosition(offset);
  return { file: file.fileName, offset, line: line + 1, column: character + 1, subject, reason, advice };
}
