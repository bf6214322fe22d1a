import type { AuditEvent } from '../../ports/audit-sink.js';
import type { Principal } from '../../base/request-context.js';

/**
 * Why something was refused before it became a call of an operation.
 * - `TW_UNKNOWN_NAME`: there is no operation of that name or URI
 * - `TW_HIDDEN`: there is one, and the caller may not know of it
 * - `TW_TASK_UNKNOWN`: there is no such task, or it belongs to somebody else
 * - `TW_STATE_INVALID`: the `requestState` does not count here; `detail` says why
 * - `TW_SESSION_UNKNOWN`: there is no such session, or it belongs to somebody else
 * - `TW_AUTHENTICATION`: the caller could not be authenticated; `detail` says why
 * - `TW_ADDRESS`: the server may not be asked under this Host, or from this Origin or machine; `detail` says which
 * - `TW_HEADER_MISMATCH`: the HTTP headers contradict the message
 * - `TW_REQUEST_INVALID`: the request is malformed
 */
export type RefusalReason =
  | 'TW_UNKNOWN_NAME'
  | 'TW_HIDDEN'
  | 'TW_TASK_UNKNOWN'
  | 'TW_STATE_INVALID'
  | 'TW_SESSION_UNKNOWN'
  | 'TW_AUTHENTICATION'
  | 'TW_ADDRESS'
  | 'TW_HEADER_MISMATCH'
  | 'TW_REQUEST_INVALID';

/** What was refused, to whom, and why. */
export interface Refusal {
  readonly reason: RefusalReason;
  /** More precise, and for the operator alone: `forged`, `audience`, … */
  readonly detail?: string | undefined;
  readonly operation: AuditEvent['operation'];
  /** As the caller wrote it. */
  readonly name: string;
  readonly principal?: Principal | undefined;
  readonly ip?: string | undefined;
  readonly client?: { readonly name: string; readonly version: string } | undefined;
  readonly revision?: string | undefined;
}

/** An attempt to pass something off as what this server or an issuer made. Told at the first; others when they repeat. */
export function isAttack({ reason, detail }: Refusal): boolean {
  if (reason === 'TW_STATE_INVALID') return detail !== 'expired';
  return reason === 'TW_AUTHENTICATION' && detail !== 'missing' && detail !== 'unavailable';
}
