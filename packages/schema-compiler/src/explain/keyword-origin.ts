import type { SourceLocation } from '@toolwright/manifest';

/** Where one keyword of a schema comes from. */
export interface KeywordOrigin {
  /** JSON pointer of the schema that carries it: `/properties/limit`; empty for the whole. */
  path: string;
  keyword: string;
  value: unknown;
  /** As it stands in the source: `@minimum`, `@Length(1, 200)`, `= 10`, `@Schema`, `type string`, `doc comment`. */
  origin: string;
  location?: SourceLocation;
}
