import { digest } from '../../base/seal.js';
import type { ActiveCall } from '../../call/active-call.js';
import { callerKey, principalKey } from '../../call/operation/keys.js';
import { exactKey } from '../../call/operation/versions.js';
import { principalDigest } from '../principal-digest.js';

/** The argument that continues a result. */
export const CURSOR = 'cursor';

/** A call, or the reading of a link that means one. */
export type Asking = Pick<ActiveCall, 'operation' | 'request' | 'given'>;

/** What a cursor is bound to. It is good for every name of its version. */
export function bindingOf(
  { operation, request }: Asking,
  { server, args }: { server: string; args: Readonly<Record<string, unknown>> },
): string {
  const contract = 'contract' in operation ? operation.contract : '';
  const isTask = 'task' in operation && operation.task !== undefined;
  return digest([server, exactKey(operation), contract, callerOf(request, isTask), args]);
}

/** Claims that every new token has anew. A caller may get one between two pages. */
const passing = new Set(['exp', 'iat', 'nbf', 'jti']);

/**
 * Another caller is also one whose scopes or claims have changed: the method may have read them. The result of a task
 * belongs to its owner, and the run that makes it may not know what else the caller was.
 */
function callerOf(request: ActiveCall['request'], isTask: boolean): string {
  const { principal } = request;
  if (isTask)
    return digest([callerKey(request, true), principalKey(principal), [...(principal?.scopes ?? [])].sort()]);
  const claims = Object.entries((principal as { claims?: object } | undefined)?.claims ?? {});
  const lasting = Object.fromEntries(claims.filter(([name]) => !passing.has(name)));
  const who = principal && { ...principal, ...(claims.length > 0 && { claims: lasting }) };
  return digest([callerKey(request, true), principalDigest(who)]);
}
