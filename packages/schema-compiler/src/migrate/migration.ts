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
