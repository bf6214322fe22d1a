import type { JsonSchema } from '@toolwright/manifest';

/** A JSON Schema in any draft from draft-04 on, as others publish it: typed as little as drafts differ. */
export type AnySchema = JsonSchema | Readonly<Record<string, unknown>>;
