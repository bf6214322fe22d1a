import { digest } from '../../base/seal.js';
import type { ActiveCall } from '../../call/active-call.js';
import { callerKey, operationKey } from '../../call/operation/keys.js';
import { principalDigest } from '../cache.js';

/** The argument that continues a result. */
export const CURSOR = 'cursor';

/** A call, or the reading of a link that means one. */
export type Asking = Pick<ActiveCall, 'operation' | 'request' | 'given'>;

/** What a cursor is bound to. */
export function bindingOf(
  { operation, request }: Asking,
  { server, args }: { server: string; args: Readonly<Record<string, unknown>> },
): string {
  const contract = 'contract' in operation ? operation.contract : '';
  return digest([server, operationKey(operation), contract, callerOf(request), args]);
}

/** Claims that every new token has anew. A caller may get one between two pages. */
const passing = new Set(['exp', 'iat', 'nbf', 'jti']);

/** Another caller is also one whose scopes or claims have changed: the method may have read them. */
function callerOf(request: ActiveCall['request']): string {
  const { principal } = request;
  const claims = Object.entries((principal as { claims?: object } | undefined)?.claims ?? {});
  const lasting = Object.fromEntries(claims.filter(([name]) => !passing.has(name)));
  const who = principal && { ...principal, ...(claims.length > 0 && { claims: lasting }) };
  return digest([callerKey(request, true), principalDigest(who)]);
}
