/** A problem in a source file, found by the type checker, the schema compiler or the server. */
export interface Problem {
  /** An absolute path; undefined if the problem is in no file. */
  file?: string;
  /** 1-based, as editors show it. */
  line: number;
  column: number;
  severity: 'error' | 'warning';
  /** A code such as `TS2322` or `TW_SCHEMA_FUNCTION`. */
  code: string;
  message: string;
}
