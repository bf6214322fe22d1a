import { wordsOf } from '@toolwright/json';

const DELETES = new Set([
  'delete',
  'remove',
  'revoke',
  'cancel',
  'destroy',
  'purge',
  'reset',
  'void',
  'archive',
  'disable',
  'terminate',
]);

/**
 * What a method of HTTP says about an operation (RFC 9110, 9.2). A POST that names a deletion destroys; any other adds.
 * Every operation reaches beyond this server.
 */
export function annotationsOf(method: string, toolName: string): Record<string, boolean> {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS')
    return { readOnlyHint: true, openWorldHint: true };
  if (method === 'PUT' || method === 'DELETE')
    return { destructiveHint: true, idempotentHint: true, openWorldHint: true };
  if (method === 'PATCH') return { destructiveHint: true, openWorldHint: true };
  return { destructiveHint: wordsOf(toolName).some((word) => DELETES.has(word)), openWorldHint: true };
}
