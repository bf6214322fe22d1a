/** A file to write. */
export interface FileChange {
  /** Absolute path. */
  path: string;
  /**
   * The current text. Undefined if the file does not exist; it must then still not exist when it is written.
   */
  before: string | undefined;
  after: string;
}
