import { isJsonObject, type JsonObject } from '../messages/json-rpc.js';
import type { ClientMethod } from '../../base/request-context.js';
import { fitsForm } from './requested-schema.js';

/**
 * The client's answer if it fits the question, or else `undefined`. Clients are not trusted to check this.
 */
export function readAnswer(method: ClientMethod, asked: JsonObject, answer: unknown): JsonObject | undefined {
  if (!isJsonObject(answer)) return undefined;
  switch (method) {
    case 'elicitation/create':
      return readElicitation(asked, answer);
    case 'sampling/createMessage': {
      const { role, content, model } = answer;
      const hasContent = isJsonObject(content) || Array.isArray(content);
      return (role === 'assistant' || role === 'user') && hasContent && typeof model === 'string'
        ? answer
        : undefined;
    }
    case 'roots/list':
      return Array.isArray(answer['roots']) && answer['roots'].every(isRoot) ? answer : undefined;
  }
}

function readElicitation(asked: JsonObject, answer: JsonObject): JsonObject | undefined {
  const { action, content } = answer;
  if (action === 'decline' || action === 'cancel') return { action };
  if (action !== 'accept') return undefined;
  if (asked['mode'] === 'url') return { action };
  const schema = asked['requestedSchema'];
  return fitsForm(content, isJsonObject(schema) ? schema : {}) ? { action, content } : undefined;
}

/** Roots are folders. A URI of another kind, or one that leaves its root, is not a root. */
function isRoot(root: unknown): boolean {
  if (!isJsonObject(root) || typeof root['uri'] !== 'string') return false;
  return root['uri'].startsWith('file://') && URL.canParse(root['uri']);
}
