import { ActiveCall } from '../call/active-call.js';
import { after, afterwards, type MaybePromise } from '../base/maybe-promise.js';
import { compose } from './plan-chain.js';
import type { Environment } from '../call/environment.js';
import type { BoundPrompt, BoundResourceTemplate, Complete } from '../call/operation/operation.js';
import type { AnyDraft } from '../call/operation/draft.js';
import type { PlannedStep } from './guard.js';
import { planCompletionGuards } from './guards.js';

/** A call with the arguments that are already known. The typed text is not one of them: it is not complete. */
class CompletionCall extends ActiveCall {
  constructor(...[operation, request, given, environment]: ConstructorParameters<typeof ActiveCall>) {
    super(operation, request, given, environment);
    this.arguments = given['known'] as Record<string, unknown>;
  }

  override get argumentsByName(): Readonly<Record<string, unknown>> {
    const { argument, value, known } = this.given;
    return { ...(known as Record<string, unknown>), [argument as string]: value };
  }
}

/**
 * Guards completions of the arguments of a prompt or a template. A caller that may not see it never gets
 * here: for such a caller the reference is unknown. A person who types sends many requests for one call. They
 * are counted apart from calls, by the server's own limit.
 */
export function withCompletions<O extends BoundPrompt | BoundResourceTemplate>(
  operation: O,
  draft: AnyDraft,
  environment: Environment,
): O {
  const steps = planCompletionGuards(draft, environment);
  const guarded = Object.entries(operation.complete).map(([argument, complete]): [string, Complete] => {
    const run = guard(complete, steps);
    return [
      argument,
      (value, known, request) =>
        run(new CompletionCall(operation, request, { argument, value, known }, environment)),
    ];
  });
  return Object.assign(operation, { complete: Object.fromEntries(guarded) });
}

function guard(complete: Complete, steps: readonly PlannedStep[]) {
  const chain = compose<ActiveCall, unknown>(
    steps.map(({ step }) => step),
    (call) => {
      const { value, known } = call.given as { value: string; known: Readonly<Record<string, string>> };
      return after(
        () => complete(value, known, call.request, call),
        (values) => values.map(call.environment.cleanText),
      );
    },
  );
  return (call: ActiveCall): MaybePromise<readonly string[]> => {
    const end = () => {
      call.environment.security.note(call);
      return call.end();
    };
    return afterwards(() => chain(call) as MaybePromise<readonly string[]>, end);
  };
}
