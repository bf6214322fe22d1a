import type { JsonSchema } from '@toolwright/manifest';

/**
 * A JSON Schema of any draft from draft-04 on, as other servers publish it. Its type is loose because the
 * drafts differ.
 */
export type AnySchema = JsonSchema | Readonly<Record<string, unknown>>;
