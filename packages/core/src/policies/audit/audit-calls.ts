import type { ToolResult } from '@toolwright/ground/base/content';
import { ToolError } from '@toolwright/ground/base/errors/errors';
import type { RequestContext, RunningProgram } from '@toolwright/ground/base/request-context';
import type { ActiveCall } from '@toolwright/ground/call/active-call';
import { CALL_ID } from '@toolwright/ground/call/context/rounds';
import { doubtfulTextsOf, withoutSecretsOf, withoutTextsOf } from '@toolwright/ground/call/hide-sensitive';
import type { Audience } from '@toolwright/ground/call/operation/operation';
import { refuse, textOfDone } from '@toolwright/ground/call/refuse';
import { wholeText, writeLongText } from '@toolwright/ground/call/results/shape-tool-result';
import { auditClient, auditPrincipal } from '@toolwright/ground/call/security/watched-audit-sink';
import type {
  AuditEvent,
  AuditEventType,
  AuditMode,
  AuditPrincipal,
  AuditSink,
} from '@toolwright/ground/ports/audit-sink';
import { monotonic } from '@toolwright/ground/ports/clock-and-ids';
import { after, type MaybePromise } from '@toolwright/json';
import type { BuiltInStep } from '../guard.js';

/** What is recorded about the calls of one operation. It is decided at boot. */
export interface AuditPlan {
  readonly sink: AuditSink;
  readonly operation: AuditEvent['operation'];
  readonly mode: AuditMode;
  /** The arguments that may be stored as plain text. */
  readonly include: readonly string[];
  readonly contract: string;
  /** The tool is deprecated, or there is a newer version of it, for everybody or for some. */
  readonly isDeprecated: boolean | Audience | undefined;
  /**
   * Copies the arguments without what must not be repeated, also in what the sink hashes. `undefined` if there is nothing
   * to remove, and no argument has parts.
   */
  readonly showArguments: ((args: Arguments) => Arguments) | undefined;
  /** Removes the same from the result. Present if there is something to remove. */
  readonly hideResult?: (result: unknown) => unknown;
}

type Arguments = Readonly<Record<string, unknown>>;

/**
 * The step of the chain. Strict: the intent is durable before anything runs, and the outcome before the reply.
 * Buffered: there is one record at the end. The intent is recorded only when a round ends with a question,
 * because the end may never come then.
 */
export function recordCalls(plan: AuditPlan): BuiltInStep['step'] {
  return (call, next) => {
    if (call.request.isRecorded) return next();
    const trail = new AuditTrail(call, plan);
    call.trail = trail;
    const run = () =>
      after(
        next,
        (result) => end(trail, plan, { call, result }),
        (error) =>
          after(
            () => end(trail, plan, { call, error }),
            () => {
              throw error;
            },
          ),
      );
    if (plan.mode === 'buffered' || call.request.input.resumed) return run();
    return after(
      () => trail.write('intent'),
      run,
      () => unrecorded(call, UNRECORDED),
    );
  };
}

interface Ended {
  call: ActiveCall;
  result?: unknown;
  error?: unknown;
}

function end(trail: AuditTrail, plan: AuditPlan, { call, result, error }: Ended): MaybePromise<unknown> {
  const { verdict } = call;
  if (call.pending) {
    trail.carryOn();
    const { resumed, isHandedOver } = call.request.input;
    return !isHandedOver && !resumed && plan.mode === 'buffered'
      ? after(
          () => trail.record('intent'),
          () => result,
        )
      : result;
  }
  if (error !== undefined || (result as { isError?: boolean } | undefined)?.isError)
    verdict.outcome ??= 'error';
  const event = verdict.outcome === 'denied' || verdict.outcome === 'limited' ? verdict.outcome : 'outcome';
  return after(
    () => trail.record(event, result),
    () => result,
    () =>
      unrecorded(
        call,
        call.isDone
          ? textOfDone(call.operation, 'its end could not be recorded')
          : 'The call ended, but its end could not be recorded. Check what it did before trying again.',
      ),
  );
}

const UNRECORDED = 'This call could not be recorded, so it was not carried out. Try again later.';

function unrecorded(call: ActiveCall, text: string): unknown {
  return refuse(call, { outcome: 'error', reason: 'TW_AUDIT_DOWN', text, rpcCode: 503 });
}

/** The records of one call. */
class AuditTrail {
  readonly #startedAt: number;
  #callId: string | undefined;

  constructor(
    private readonly call: ActiveCall,
    private readonly plan: AuditPlan,
  ) {
    const { input, parent } = call.request;
    this.#startedAt = monotonic(call.environment.clock);
    const earlier = input.resumed || parent ? input.recall(CALL_ID)?.value : undefined;
    if (typeof earlier === 'string') this.#callId = earlier;
  }

  get callId(): string {
    return (this.#callId ??= this.call.environment.ids.uuid(this.#startedAt));
  }

  /** In buffered mode, a sink that fails must not make the call fail. `WatchedAuditSink` logs the failure. */
  record(event: AuditEventType, result?: unknown, approver?: AuditPrincipal): MaybePromise<void> {
    if (this.plan.mode === 'strict') return this.write(event, result, approver);
    return after(
      () => this.write(event, result, approver),
      () => undefined,
      () => undefined,
    );
  }

  /** @throws what the sink throws */
  write(event: AuditEventType, result?: unknown, approver?: AuditPrincipal): MaybePromise<void> {
    const described = this.#describe(event, result);
    return this.plan.sink.write(approver ? { ...described, approver } : described, this.plan.mode);
  }

  /**
   * Records that the call goes on as a task on a queue. The records that a worker writes later have the same call
   * id.
   *
   * @throws {ToolError} in strict mode, when that cannot be recorded
   */
  beginTask(): MaybePromise<void> {
    this.carryOn();
    const { mode, sink } = this.plan;
    return after(
      () => sink.write({ ...this.#describe('intent', undefined), detail: 'task' }, mode),
      () => undefined,
      () => {
        if (mode === 'strict') throw new ToolError(UNRECORDED, { code: 'TW_AUDIT_DOWN' });
      },
    );
  }

  /** Lets the records of later rounds carry the same call id. */
  carryOn(): void {
    this.call.request.input.remember(CALL_ID, this.callId);
  }

  #describe(event: AuditEventType, result: unknown): AuditEvent {
    const { call, plan } = this;
    const { isDeprecated: outdated } = plan;
    const { operation, request, verdict, environment, given } = call;
    const { principal, client, trace, ip } = request;
    const program = call.program ?? request.parent?.program;
    const shown = plan.showArguments ? plan.showArguments(given) : { ...given };
    // Most calls are not in a program.
    const args = program ? withoutTextsOf(program, shown) : shown;
    const hidden = () => (plan.hideResult ? plan.hideResult(result) : recorded(result, request));
    const time = environment.clock.now();
    const isEnd = event !== 'intent' && event !== 'confirmed';
    const id = environment.ids.uuid(time);
    // The call id is the id of the first record. Most calls have only one record.
    const callId = (this.#callId ??= id);
    return {
      id,
      callId,
      parent: request.parent?.callId,
      program: program?.digest,
      time,
      event,
      operation: plan.operation,
      name: operation.versionOf ?? operation.name,
      version: operation.version,
      // A version may be outdated for some callers only.
      deprecated: (typeof outdated === 'function' ? outdated(principal) : outdated) || undefined,
      contract: plan.contract,
      annotations: operation.annotations as Record<string, unknown>,
      principal: auditPrincipal(principal, plan.sink),
      client: auditClient(client.info),
      revision: request.revision,
      arguments: args,
      loggable: plan.include.length ? pick(args, plan.include) : undefined,
      outcome: isEnd ? (verdict.outcome ?? 'ok') : undefined,
      reason: isEnd ? verdict.reason : undefined,
      reference: isEnd ? verdict.reference : undefined,
      result: program ? resultIn(program, call, hidden) : hidden(),
      durationMs: isEnd ? Math.round(monotonic(environment.clock) - this.#startedAt) : undefined,
      traceId: trace.traceparent === undefined ? undefined : traceId(trace.traceparent),
      ip,
    };
  }
}

/** Parts of a secret may be in what a program gives that has met it, and in what it gets for them. Nobody can find them there. */
function resultIn(program: RunningProgram, call: ActiveCall, result: () => unknown): unknown {
  const mayHaveParts = call.program ? program.secrets.size > 0 : doubtfulTextsOf(call).length > 0;
  return mayHaveParts ? undefined : withoutSecretsOf(program, result());
}

/** JSON that was already written is not written again for hashing, and what is written here is not written for the answer. */
function recorded(result: unknown, request: RequestContext): unknown {
  if (typeof result !== 'object' || result === null) return result;
  const whole = wholeText(result);
  if (whole !== undefined) return whole;
  const written = writeLongText(result as ToolResult);
  if (!written) return result;
  request.written = written;
  return written.json;
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
