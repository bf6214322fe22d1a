/** The tsconfig could not be read, or it names no files. `problems` contains TypeScript's messages. */
export class ProjectError extends Error {
  override readonly name = 'ProjectError';
  readonly code = 'TW_SCHEMA_PROJECT';
}
