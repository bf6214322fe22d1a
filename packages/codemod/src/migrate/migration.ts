import type { ts } from '@toolwright/schema-compiler/project';

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

/** A note about the source at a node. */
export function noteAt(
  node: ts.Node,
  subject: string,
  { reason, advice }: Pick<ConversionProblem, 'reason' | 'advice'>,
): MigrationNote {
  const file = node.getSourceFile();
  const offset = node.getStart(file);
  const { line, character } = file.getLineAndCharacterOfPosition(offset);
  return { file: file.fileName, offset, line: line + 1, column: character + 1, subject, reason, advice };
}

/** Why a piece of source is left as it is, and what a person can do about it. */
export class ConversionProblem extends Error {
  override readonly name = 'Refusal';

  /**
   * @param node where the reason is
   * @param reason a sentence about the source
   * @param advice what to do instead
   */
  constructor(
    readonly node: ts.Node,
    readonly reason: string,
    readonly advice: string,
  ) {
    super(reason);
  }
}
