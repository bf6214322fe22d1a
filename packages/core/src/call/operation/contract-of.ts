import { hash } from 'node:crypto';
import { factsOf } from '../../base/operation-kinds.js';
import type { AnyDraft } from './draft.js';

/**
 * A hash that shows changes of what is published: SHA-256 (hex) of name, description, schemas and annotations.
 * `undefined` for kinds that publish no schemas. It is computed when it is first needed, because most tools of
 * a large server are never called.
 */
export function contractOf(draft: AnyDraft): string | undefined {
  if (!factsOf(draft).publishesSchemas) return undefined;
  const { contract, name, description, annotations, inputSchema } = draft;
  const { outputSchema } = draft as { outputSchema?: unknown };
  return (
    contract ??
    hash('sha256', JSON.stringify([name, description, inputSchema, outputSchema, annotations]), 'hex')
  );
}
