/** The tsconfig could not be read or names no files; `problems` are TypeScript's own words. */
export class ProjectError extends Error {
  override readonly name = 'ProjectError';
  readonly code = 'TW_SCHEMA_PROJECT';
}
