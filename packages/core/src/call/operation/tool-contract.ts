import { hash } from 'node:crypto';
import type { ToolDraft } from './draft.js';

/**
 * A hash that shows changes of what is published: SHA-256 (hex) of name, description, schemas and
 * annotations. It is computed when it is first needed, because most tools of a large server are never called.
 */
export function toolContract(tool: ToolDraft): string {
  const { name, description, inputSchema, outputSchema, annotations } = tool;
  return (
    tool.contract ??
    hash('sha256', JSON.stringify([name, description, inputSchema, outputSchema, annotations]), 'hex')
  );
}
