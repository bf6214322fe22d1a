import type { ApiKey, UserGrant } from '@toolwright/json';
import type { Awaitable, OnServer } from './overview-api.js';

interface KeysAndGrants {
  /** The first of them. Missing in a server whose keys are not attached to it. */
  readonly keys?: readonly ApiKey[];
  /** Missing in a server that keeps no grants. */
  readonly grants?: readonly UserGrant[];
  readonly counts: { readonly keys: number; readonly grants: number };
}

interface WithId extends OnServer {
  readonly id: string;
}

/** Each change is recorded in the audit log of the server. */
export interface KeysApi {
  keysAndGrants(params: OnServer): Awaitable<KeysAndGrants>;
  /** Makes a key. `key` in the answer is the only copy. It needs the access `call`, too: who has it, calls as the subject. */
  createKey(
    params: OnServer & {
      readonly subject: string;
      /** The tenant of the subject, on a server that keeps tenants apart. */
      readonly tenant?: string;
      readonly scopes: readonly string[];
      readonly name?: string;
      /** In days. Missing: it never ends. */
      readonly days?: number;
    },
  ): Awaitable<{ readonly id: string; readonly key: string }>;
  revokeKey(params: WithId): Awaitable<Record<string, never>>;
  /** Ends a grant, here and at its issuer. */
  revokeGrant(params: WithId): Awaitable<{
    readonly outcome: 'revoked' | 'not at the issuer' | 'failed';
    readonly reason?: string;
  }>;
}
