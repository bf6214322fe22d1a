import type { AuditEvent, AuditEventType, AuditMode, AuditSink } from '../ports/audit-sink.js';
import type { ActiveCall } from './active-call.js';
import type { MaybePromise } from './operation.js';

/** What is recorded of the calls of one operation; decided at boot. */
export interface AuditPlan {
  readonly sink: AuditSink;
  readonly operation: AuditEvent['operation'];
  readonly mode: AuditMode;
  /** Arguments that may be stored in the clear. */
  readonly include: readonly string[];
  readonly contract: string;
}

/** Carries the call's id from round to round. */
const CALL_ID = 'toolwright.call';

/** The records of one call. */
export class AuditTrail {
  readonly #startedAt: number;
  readonly #callId: string;

  constructor(
    private readonly call: ActiveCall,
    private readonly plan: AuditPlan,
  ) {
    const { clock, ids } = call.environment;
    const { input } = call.request;
    this.#startedAt = clock.now();
    const earlier = input.resumed ? input.recall(CALL_ID)?.value : undefined;
    this.#callId = typeof earlier === 'string' ? earlier : ids.uuid(this.#startedAt);
  }

  write(event: AuditEventType, result?: unknown): MaybePromise<void> {
    return this.plan.sink.write(this.#record(event, result), this.plan.mode);
  }

  /** Lets the records of later rounds carry the same call id. */
  carryOn(): void {
    this.call.request.input.remember(CALL_ID, this.#callId);
  }

  #record(event: AuditEventType, result: unknown): AuditEvent {
    const { call, plan } = this;
    const { operation, request, verdict, environment, given } = call;
    const { principal, client, trace, ip } = request;
    const time = environment.clock.now();
    const isEnd = event !== 'intent' && event !== 'confirmed';
    return {
      id: environment.ids.uuid(time),
      callId: this.#callId,
      time,
      event,
      operation: plan.operation,
      name: operation.name,
      contract: plan.contract,
      annotations: operation.annotations as Record<string, unknown>,
      principal: principal
        ? { issuer: principal.issuer, subject: principal.subject, clientId: principal.clientId }
        : null,
      client: client.info ? { name: client.info.name, version: client.info.version } : null,
      revision: request.revision,
      arguments: given,
      loggable: plan.include.length ? pick(given, plan.include) : undefined,
      outcome: isEnd ? (verdict.outcome ?? 'ok') : undefined,
      reason: isEnd ? verdict.reason : undefined,
      reference: isEnd ? verdict.reference : undefined,
      result,
      durationMs: isEnd ? time - this.#startedAt : undefined,
      traceId: trace.traceparent === undefined ? undefined : traceId(trace.traceparent),
      ip,
    };
  }
}

function pick(args: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(args, name)).map((name) => [name, args[name]]),
  );
}

/** W3C trace context: `version-traceid-parentid-flags`. */
function traceId(traceparent: string): string | undefined {
  return /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}/.exec(traceparent)?.[1];
}
