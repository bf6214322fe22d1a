import type { AuditEvent } from '../../ports/audit-sink.js';
import type { Principal } from '../../base/request-context.js';

/**
 * Why a request was refused before it became a call of an operation.
 * - `TW_UNKNOWN_NAME`: no operation has this name or URI
 * - `TW_HIDDEN`: the operation exists, but is hidden from the caller
 * - `TW_TASK_UNKNOWN`: there is no such task, or it belongs to somebody else
 * - `TW_STATE_INVALID`: the `requestState` is not valid here; `detail` says why
 * - `TW_SESSION_UNKNOWN`: there is no such session, or it belongs to somebody else
 * - `TW_AUTHENTICATION`: the caller could not be authenticated; `detail` says why
 * - `TW_ADDRESS`: this Host, Origin or machine may not address the server; `detail` says which
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
  /** A more exact reason, only for the operator: `forged`, `audience` and so on. */
  readonly detail?: string | undefined;
  /** The status of HTTP that the caller gets, where a transport knows it. */
  readonly status?: number | undefined;
  readonly operation: AuditEvent['operation'];
  /** The name as the caller wrote it. */
  readonly name: string;
  readonly principal?: Principal | undefined;
  readonly ip?: string | undefined;
  readonly client?: { readonly name: string; readonly version: string } | undefined;
  readonly revision?: string | undefined;
}

/**
 * True for an attempt to forge something that this server or an issuer makes. It is reported the first time;
 * other refusals only when they repeat.
 */
export function isAttack({ reason, detail }: Refusal): boolean {
  if (reason === 'TW_STATE_INVALID') return detail !== 'expired' && detail !== 'outdated';
  return reason === 'TW_AUTHENTICATION' && detail !== 'missing' && detail !== 'unavailable';
}
