import type { JsonSchema } from '@toolwright/manifest';
import { Audit } from './audit.js';
import type { ResourceResult } from '../../base/content/content.js';
import type { ActiveCall } from '../../call/active-call.js';
import { after, type MaybePromise } from '../../base/maybe-promise.js';
import { AuditTrail, logUnrecorded, type AuditPlan } from './audit-trail.js';
import type { Environment } from '../../call/environment.js';
import type { AnyDraft } from '../../call/operation/draft.js';
import type { Guard, PlannedGuard } from '../guard.js';
import { refuse } from '../../call/refuse.js';
import { planResultHiding } from '../output/hide-result.js';
import { HIDDEN, sensitiveParts } from '../../base/schema/sensitive-parts.js';
import { toolContract } from '../../call/operation/tool-contract.js';

function planRecords(
  operation: AuditPlan['operation'],
  draft: AnyDraft,
  { audit }: Environment,
): PlannedGuard | undefined {
  const policy = Audit.of(draft);
  if (!audit || policy?.options === false) return undefined;
  const { mode, include = [] } = policy?.options || {};
  const byAnnotation = draft.annotations.destructiveHint === true;
  const plan: AuditPlan = {
    sink: audit,
    operation,
    mode: mode ?? (byAnnotation ? 'strict' : 'buffered'),
    include: declaredOf(include, draft.inputSchema),
    ...planHiding(operation, draft),
    contract: draft.kind === 'tool' ? toolContract(draft) : '',
  };
  return {
    origin: mode ? policy!.origin : byAnnotation ? 'annotations' : 'default',
    detail: plan.mode,
    step(call, next) {
      const trail = new AuditTrail(call, plan);
      call.trail = trail;
      const run = () =>
        after(
          next,
          (result) => end(trail, plan, { call, result }),
          (error) =>
            after(
              () => end(trail, plan, { call, error }),
              () => rethrow(error),
            ),
        );
      if (plan.mode === 'buffered' || call.request.input.resumed) return run();
      return after(
        () => trail.write('intent'),
        run,
        (error) => unrecorded(call, error),
      );
    },
  };
}

/**
 * An argument that the operation does not have may contain anything. It must not be stored as plain text when
 * its call is refused.
 */
function declaredOf(include: readonly string[], schema: JsonSchema | undefined): readonly string[] {
  const { properties = {}, additionalProperties } = schema ?? {};
  return additionalProperties === false ? include.filter((name) => Object.hasOwn(properties, name)) : include;
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
    const isFirst = !call.request.input.resumed;
    return isFirst && plan.mode === 'buffered'
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
    (failure) => carriedOutUnrecorded(call, failure),
  );
}

function unrecorded(call: ActiveCall, error: unknown): unknown {
  logUnrecorded(call, error);
  return refuse(call, {
    outcome: 'error',
    reason: 'TW_AUDIT_DOWN',
    text: 'This call could not be recorded, so it was not carried out. Try again later.',
    rpcCode: 503,
  });
}

function carriedOutUnrecorded(call: ActiveCall, error: unknown): unknown {
  logUnrecorded(call, error);
  return refuse(call, {
    outcome: 'error',
    reason: 'TW_AUDIT_DOWN',
    text: 'The call ended, but its end could not be recorded. Check what it did before trying again.',
    rpcCode: 503,
  });
}

function rethrow(error: unknown): never {
  throw error;
}

/**
 * Sensitive values never reach a sink: neither as plain text, nor in what is hashed, because a hash can be
 * guessed.
 */
function planHiding(
  operation: AuditPlan['operation'],
  draft: AnyDraft,
): Pick<AuditPlan, 'hideArguments' | 'hideResult'> {
  const parts = draft.inputSchema && sensitiveParts(draft.inputSchema);
  const { outputSchema } = draft as { outputSchema?: JsonSchema };
  const hideResult = outputSchema
    ? planResultHiding(outputSchema)
    : parts && draft.kind === 'resourceTemplate' && operation !== 'completion'
      ? hideUris
      : undefined;
  const hide = (value: unknown) => parts!.hide(value) as Record<string, unknown>;
  return {
    ...(parts && {
      hideArguments: operation === 'completion' ? (args) => hideCompletion(args, hide) : hide,
    }),
    ...(hideResult && { hideResult }),
  };
}

/** The URIs of contents contain the variables of the template. */
function hideUris(result: unknown): unknown {
  const contents = (result as ResourceResult | undefined)?.contents;
  return contents ? { ...(result as ResourceResult), contents: contents.map(withoutUri) } : result;
}

function withoutUri(content: ResourceResult['contents'][number]): typeof content {
  return { ...content, uri: HIDDEN };
}

/** Treats the completed argument like one of a call. */
function hideCompletion(
  given: Readonly<Record<string, unknown>>,
  hide: (value: unknown) => Record<string, unknown>,
): Record<string, unknown> {
  const { argument, value, known, ...rest } = given;
  const name = String(argument);
  return { ...rest, argument, value: hide({ [name]: value })[name], known: hide(known) };
}

/**
 * Records calls. It is the outermost guard, so that refused calls are recorded, too. Strict: the intent is
 * durable before anything runs, and the outcome before the reply. Buffered: there is one record at the end.
 * The intent is recorded only when a round ends with a question, because the end may never come then.
 */
export const auditGuard: Guard = {
  name: 'audit',
  position: 10,
  summary: 'Records the call and how it ended.',
  decorators: { Audit },
  plan: (draft, environment) => planRecords(draft.kind, draft, environment),
  planCompletion: (draft, environment) => planRecords('completion', draft, environment),
};
