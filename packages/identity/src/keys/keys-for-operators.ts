import type { Extension } from '@toolwright/core/extend';

/** The part of `apiKeys` that operators use. */
interface OperatedKeys {
  list(): Promise<readonly unknown[]>;
  /** @param options unchecked */
  create(options: never): Promise<unknown>;
  revoke(id: string): Promise<unknown>;
}

/** Lets operators of a server see, make and end its keys. The audit log has each change, and never a key. */
export function keysForOperators(keys: OperatedKeys): Extension {
  return {
    name: '@toolwright/identity keys',
    start: () => ({
      operator: {
        'keys.list': { run: () => keys.list() },
        'keys.create': {
          action: 'create key',
          target: ({ subject }) => String(subject),
          run: (params) => keys.create(params as never),
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
