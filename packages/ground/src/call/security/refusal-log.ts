import { getOrMake } from '@toolwright/json';
import { logSafeText } from '../../base/log.js';
import type { Principal } from '../../base/request-context.js';
import type { AuditEvent, AuditSink } from '../../ports/audit-sink.js';
import type { BootContext } from '../../ports/boot-context.js';
import { type Clock, type IdSource, monotonic } from '../../ports/clock-and-ids.js';
import type { Logger } from '../../ports/logger.js';
import { callerKey } from '../operation/keys.js';
import type { SecurityListener } from './security-monitor.js';
import { auditClient, auditPrincipal, eventRecord, writeUnawaited } from './watched-audit-sink.js';

const SPAN_MS = 60_000;
/**
 * How many refusals of one kind and caller in a span get a record each. After that, each doubling gets one.
 */
const SINGLE = 10;
/** How many pairs of caller and kind have a count of their own in a span. All others share one count for each kind. */
const MOST_KEYS = 1_000;

/** One frozen object serves all records, because a sink stores its content and not the object. */
const NONE = Object.freeze({});

interface Count {
  /** The refusals in this span. */
  total: number;
  /** The refusals without a record so far. */
  open: number;
  last: RefusedRequest;
}

/** How many refusals one record counts, of how many, and the call around it. */
interface Recorded extends Pick<Count, 'open' | 'total'> {
  readonly inside?: Pick<AuditEvent, 'parent' | 'program'>;
}

interface RefusalPorts {
  clock: Clock;
  logger: Logger;
  audit?: AuditSink | undefined;
  ids?: IdSource | undefined;
  onSecurity?: SecurityListener | undefined;
  /** Counts every refusal, also when several share a record. */
  count?(refusal: RefusedRequest): void;
}

/**
 * Records, logs and reports refusals that happen before a request becomes a call. Strangers decide how many there
 * are, so the number of records is limited. A caller gets ten records a minute for each reason. After that it gets
 * one for each doubling, with the number of refusals that it counts. Refusals without a record get one after a
 * minute, or when the server stops, so that the numbers add up.
 */
export class RefusalLog {
  readonly #counts = new Map<string, Count>();
  #spanEnds = 0;
  #cancel: (() => void) | undefined;

  constructor(
    private readonly ports: RefusalPorts,
    private readonly boot: BootContext,
  ) {}

  /** @param inside the call inside of which a package would have made this one */
  note(refusal: RefusedRequest, inside?: Pick<AuditEvent, 'parent' | 'program'>): void {
    this.ports.count?.(refusal);
    if (monotonic(this.ports.clock) >= this.#spanEnds) this.#begin();
    const count = this.#count(refusal);
    count.total++;
    // A call has a limit of calls inside of it, so each of them has a record, as a call has that is made.
    if (inside) return this.#write(refusal, { open: 1, total: count.total, inside });
    count.open++;
    count.last = refusal;
    if (count.total <= SINGLE || count.open * 2 >= count.total) this.#record(count);
    else
      this.#cancel ??= this.ports.clock.after(this.#spanEnds - monotonic(this.ports.clock), () =>
        this.settle(),
      );
  }

  /**
   * Records the refusals that have no record yet. They belong to many callers, so the records are written in the
   * context of the boot.
   */
  settle(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    const open = [...this.#counts.values()].filter((count) => count.open > 0);
    if (open.length > 0) this.boot.run(() => open.forEach((count) => this.#record(count)));
  }

  #begin(): void {
    this.settle();
    this.#counts.clear();
    this.#spanEnds = monotonic(this.ports.clock) + SPAN_MS;
  }

  #count(refusal: RefusedRequest): Count {
    const { reason, detail = '', principal, ip } = refusal;
    const key = `${reason} ${detail} ${callerKey({ principal, ip }, true)}`;
    const shared = this.#counts.has(key) || this.#counts.size < MOST_KEYS ? key : `${reason} ${detail}`;
    return getOrMake(this.#counts, shared, () => ({ total: 0, open: 0, last: refusal }));
  }

  #record(count: Count): void {
    const { open, total, last } = count;
    count.open = 0;
    this.#write(last, { open, total });
  }

  #write(last: RefusedRequest, { open, total, inside }: Recorded): void {
    const event = { ...this.#describe(last, open), ...inside };
    // The caller already has its answer.
    writeUnawaited(this.ports.audit, event);
    const { reason, detail, name, operation, ip, principal } = event;
    const { issuer, cause } = last;
    const fields = {
      reason,
      detail,
      operation,
      name,
      ip,
      subject: principal?.subject,
      count: open,
      ...(issuer !== undefined && { issuer: logSafeText(issuer) }),
      ...(cause !== undefined && { cause: logSafeText(cause) }),
    };
    if (isAttack(last)) this.ports.logger.warn(fields, 'A request was refused: it may be an attack');
    else if (total > SINGLE) this.ports.logger.warn(fields, 'Requests of a caller are refused repeatedly');
    else this.ports.logger.info(fields, 'A request was refused');
    this.#report(last, { event, total });
  }

  #describe({ reason, detail, operation, name, ...from }: RefusedRequest, count: number): AuditEvent {
    const { principal, ip, client, revision = '' } = from;
    return eventRecord(this.ports, {
      event: 'denied',
      operation,
      name: logSafeText(name),
      annotations: NONE,
      principal: auditPrincipal(principal, this.ports.audit),
      client: auditClient(client),
      revision: logSafeText(revision),
      arguments: undefined,
      outcome: 'denied',
      reason,
      ...(detail !== undefined && { detail }),
      ...(count > 1 && { count }),
      ...(ip !== undefined && { ip }),
    });
  }

  #report(refusal: RefusedRequest, { event, total }: { event: AuditEvent; total: number }): void {
    const attack = isAttack(refusal);
    if (!attack && total < SINGLE) return;
    const { principal, ip } = refusal;
    this.ports.onSecurity?.({
      type: attack ? (refusal.reason === 'TW_STATE_INVALID' ? 'forgery' : 'authentication') : 'denied',
      caller: callerKey({ principal, ip }, true),
      operation: event.name,
      count: total,
      time: event.time,
      reason: refusal.detail ?? refusal.reason,
    });
  }
}

/**
 * Why a request was refused before it became a call of an operation.
 * - `TW_UNKNOWN_NAME`: no operation has this name or URI
 * - `TW_HIDDEN`: the operation exists, but is hidden from the caller
 * - `TW_TASK_UNKNOWN`: there is no such task, or it belongs to somebody else
 * - `TW_STATE_INVALID`: the `requestState` is not valid here; `detail` says why
 * - `TW_CURSOR_INVALID`: a link to the rest of a result is of another caller, forged, or too old
 * - `TW_SESSION_UNKNOWN`: there is no such session, or it belongs to somebody else
 * - `TW_AUTHENTICATION`: the caller could not be authenticated; `detail` says why
 * - `TW_ADDRESS`: this Host, Origin or machine may not address the server; `detail` says which
 * - `TW_HEADER_MISMATCH`: the HTTP headers contradict the message
 * - `TW_REQUEST_INVALID`: the request is malformed
 * - `TW_PROGRAM_REFUSED`: a package does not make the call of a program
 */
export type RefusalReason =
  | 'TW_UNKNOWN_NAME'
  | 'TW_HIDDEN'
  | 'TW_TASK_UNKNOWN'
  | 'TW_STATE_INVALID'
  | 'TW_CURSOR_INVALID'
  | 'TW_SESSION_UNKNOWN'
  | 'TW_AUTHENTICATION'
  | 'TW_ADDRESS'
  | 'TW_HEADER_MISMATCH'
  | 'TW_REQUEST_INVALID'
  | 'TW_PROGRAM_REFUSED';

/** What was refused, to whom, and why. */
export interface RefusedRequest {
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
  /** The issuer of a token, for the log. If it is not trusted, the token itself names it. */
  readonly issuer?: string | undefined;
  /** What is behind the reason, for the log. */
  readonly cause?: string | undefined;
}

/**
 * True for an attempt to forge something that this server or an issuer makes. It is reported the first time;
 * other refusals only when they repeat.
 */
function isAttack({ reason, detail }: RefusedRequest): boolean {
  if (reason === 'TW_STATE_INVALID') return detail !== 'expired' && detail !== 'outdated';
  return reason === 'TW_AUTHENTICATION' && detail !== 'missing' && detail !== 'unavailable';
}
