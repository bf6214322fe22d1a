import { hash } from 'node:crypto';
import type { ToolDraft } from './draft.js';

/**
 * The hash by which a change of what is published can be told: SHA-256 (hex) of name, description, schemas and
 * annotations. Worked out when somebody asks; most tools of a large server are never called.
 */
export function toolContract(tool: ToolDraft): string {
  const { name, description, inputSchema, outputSchema, annotations } = tool;
  return (
    tool.contract ??
    hash('sha256', JSON.stringify([name, description, inputSchema, outputSchema, annotations]), 'hex')
  );
}
