import { type SchemaErrorCode, type Severity, schemaErrorCatalogue } from './catalogue.js';

/** One problem of one signature: where it is, and what to write instead. */
export interface SchemaDiagnostic {
  code: SchemaErrorCode;
  severity: Severity;
  message: string;
  /** Relative to the project's folder, with forward slashes. */
  file: string;
  /** 1-based, as editors show it. */
  line: number;
  column: number;
}

/**
 * Creates the diagnostic for a code. `detail` says what was found; the catalogue says what to write instead.
 */
export function makeDiagnostic(
  code: SchemaErrorCode,
  at: Pick<SchemaDiagnostic, 'file' | 'line' | 'column'>,
  detail: string,
): SchemaDiagnostic {
  const { severity, fix } = schemaErrorCatalogue[code];
  return { code, severity, message: `${detail} ${fix}`, file: at.file, line: at.line, column: at.column };
}

/** `file:line:column: code: message`, the form that editors and terminals make clickable. */
export function formatDiagnostic(diagnostic: SchemaDiagnostic): string {
  const { file, line, column, code, message } = diagnostic;
  return `${file}:${line}:${column}: ${code}: ${message}`;
}

/** The tsconfig could not be read, or it names no files. `problems` contains TypeScript's messages. */
export class ProjectError extends Error {
  override readonly name = 'ProjectError';
  readonly code = 'TW_SCHEMA_PROJECT';
}

/** Ends the schema of one parameter or result. It is caught at the root of that schema and reported there. */
export class UnsupportedType extends Error {
  override readonly name = 'UnsupportedType';

  constructor(
    readonly code: SchemaErrorCode,
    message: string,
  ) {
    super(message);
  }
}
