/** A file to write. */
export interface FileChange {
  /** Absolute path. */
  path: string;
  /** What it holds now; undefined where there is none, and none may be when it is written. */
  before: string | undefined;
  after: string;
}
