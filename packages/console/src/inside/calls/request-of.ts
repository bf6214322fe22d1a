import type { CallRequest } from '../../api/call-api.js';
import { expandTemplate } from './expand-template.js';

/** The request of the protocol that a call of the console sends. */
export function requestOf({ kind, key, arguments: args }: CallRequest): {
  method: string;
  params: Record<string, unknown>;
} {
  switch (kind) {
    case 'tool':
      return { method: 'tools/call', params: { name: key, arguments: args } };
    case 'prompt':
      return { method: 'prompts/get', params: { name: key, arguments: args } };
    case 'resource':
      return { method: 'resources/read', params: { uri: key } };
    case 'resourceTemplate':
      return { method: 'resources/read', params: { uri: expandTemplate(key, args) } };
  }
}
