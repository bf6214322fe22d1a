import type { Extension } from '@toolwright/core/extend';
import type { ApiKeys, NewKeyOptions } from './api-keys.js';

/** Lets operators of a server see, make and end its keys. The audit log has each change, and never a key. */
export function keysForOperators(keys: Pick<ApiKeys, 'list' | 'create' | 'revoke'>): Extension {
  return {
    name: '@toolwright/identity keys',
    start: () => ({
      operator: {
        'keys.list': { run: () => keys.list() },
        'keys.create': {
          action: 'create key',
          target: ({ subject }) => String(subject),
          run: (params) => keys.create(params as unknown as NewKeyOptions),
        },
        'keys.revoke': {
          action: 'revoke key',
          target: ({ id }) => String(id),
          run: ({ id }) => keys.revoke(String(id)),
        },
      },
    }),
  };
}
