/** Something wrong with a source file, whoever found it: the type checker, the schema compiler, the server. */
export interface Problem {
  /** Absolute; undefined where no file is to blame. */
  file?: string;
  /** 1-based, as editors show it. */
  line: number;
  column: number;
  severity: 'error' | 'warning';
  /** Such as `TS2322` or `TW_SCHEMA_FUNCTION`. */
  code: string;
  message: string;
}
