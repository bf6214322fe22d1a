import type { SourceLocation } from '@toolwright/manifest';

/** Where one keyword of a schema comes from. */
export interface KeywordOrigin {
  /**
   * The JSON pointer of the schema that contains the keyword: `/properties/limit`; empty for the whole
   * schema.
   */
  path: string;
  keyword: string;
  value: unknown;
  /**
   * As written in the source: `@minimum`, `@Length(1, 200)`, `= 10`, `@Schema`, `type string`, `doc comment`.
   */
  origin: string;
  location?: SourceLocation;
}
