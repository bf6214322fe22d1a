import { ActiveCall } from '../call/active-call.js';
import { after, type MaybePromise } from '../base/maybe-promise.js';
import { compose } from './plan-chain.js';
import type { Environment } from '../call/environment.js';
import type { BoundPrompt, BoundResourceTemplate, Complete } from '../call/operation/operation.js';
import type { AnyDraft } from '../call/operation/draft.js';
import type { PlannedStep } from './guard.js';
import { planCompletionGuards } from './guards.js';

type Completed = BoundPrompt | BoundResourceTemplate;

/** What is typed so far is an argument like those that are known. */
class CompletionCall extends ActiveCall {
  override get argumentsByName(): Readonly<Record<string, unknown>> {
    const { argument, value, known } = this.given;
    return { ...(known as Record<string, unknown>), [argument as string]: value };
  }
}

/**
 * Guards what completes the arguments of a prompt or a template. Callers that may not see it do not get this far: the
 * reference is unknown to them. A person who types asks many times for one call, so
 * they are counted apart from the calls, by the server's own limit.
 */
export function planCompletions(
  draft: AnyDraft,
  operation: Completed,
  environment: Environment,
): Completed['complete'] {
  const steps = planCompletionGuards(draft, environment);
  return Object.fromEntries(
    Object.entries(operation.complete).map(([argument, complete]) => {
      const run = guard(complete, steps);
      return [
        argument,
        (value, known, request) =>
          run(new CompletionCall(operation, request, { argument, value, known }, environment)),
      ];
    }),
  );
}

function guard(complete: Complete, steps: readonly PlannedStep[]) {
  const chain = compose<ActiveCall, unknown>(
    steps.map(({ step }) => step),
    (call) =>
      after(
        () => completed(complete, call),
        (values) => values.map(call.environment.cleanText),
      ),
  );
  return (call: ActiveCall): MaybePromise<readonly string[]> => {
    const end = () => {
      call.environment.security.note(call);
      return call.end();
    };
    return after(
      () => chain(call) as MaybePromise<readonly string[]>,
      (values) => after(end, () => values),
      (error) =>
        after(end, () => {
          throw error;
        }),
    );
  };
}

function completed(complete: Complete, call: ActiveCall): MaybePromise<readonly string[]> {
  const { given, request } = call;
  return complete(
    given['value'] as string,
    given['known'] as Readonly<Record<string, string>>,
    request,
    call,
  );
}
