import {
  ConfigurationError,
  problemsAt,
  stoppingProblems,
} from '@toolwright/ground/base/errors/configuration-error';
import type { BackgroundNoun } from '@toolwright/ground/base/extended';
import type { Principal } from '@toolwright/ground/base/request-context';
import type { ActiveCall } from '@toolwright/ground/call/active-call';
import type { PipelineOptions } from '@toolwright/ground/call/call-options';
import type { Environment } from '@toolwright/ground/call/environment';
import { type AnyDraft, locationOf } from '@toolwright/ground/call/operation/draft';
import type {
  BoundOperation,
  Next,
  Planned,
  Step,
  StepDescription,
} from '@toolwright/ground/call/operation/operation';
import type { AudienceAnswers, ResourceVariables } from '@toolwright/ground/call/operation/registry';
import { refuseHidden } from '@toolwright/ground/call/refuse';
import type { Clock } from '@toolwright/ground/ports/clock-and-ids';
import type { RateLimiter } from '@toolwright/ground/ports/rate-limiter';
import type { MaybePromise } from '@toolwright/json';
import type { Policy } from './define-policy.js';

/** What a guard does with the calls of one operation. */
export interface PlannedGuard<S = Step> extends Partial<Omit<StepDescription, 'name'>> {
  /** Refuses a call by throwing a `ToolError` or a `ProtocolError`. */
  readonly step: S;
}

type ActiveStep = (call: ActiveCall, next: Next<unknown>) => MaybePromise<unknown>;

/** What a built-in guard does with the calls of one operation. */
export type BuiltInStep = PlannedGuard<ActiveStep>;

/** A step of a chain, with the name that `toolwright explain` shows. */
export interface PlannedStep extends StepDescription {
  readonly step: ActiveStep;
}

/**
 * Decides at boot whether an operation needs a guard. If it returns `undefined`, the guard costs the
 * operation nothing.
 */
export type PlanGuard = (draft: AnyDraft, environment: Environment) => BuiltInStep | undefined;

/** An operation, ready or not, as `Guard.visible` sees it. */
export type GuardedOperation = Omit<BoundOperation, 'run'>;

/** What `Guard.visible` may read besides the operation and the principal. */
export interface VisibilityContext {
  /** The options of the server. */
  readonly options: PipelineOptions;
  readonly clock: Clock;
  /** The limiter of this process, which answers at once. */
  readonly localLimiter: RateLimiter;
  /** The URI that is read or watched. Missing for tools and prompts, and for a template in a list. */
  readonly uri?: string;
  /** The values of the template's variables, as text. Present wherever there is a `uri`. */
  readonly variables?: ResourceVariables;
  /** What was asked for the list that is made. Missing where no list is. */
  readonly answers?: AudienceAnswers | undefined;
}

/** Runs around calls. */
export interface Guard {
  /** The name that `toolwright explain` shows. */
  readonly name: string;
  /**
   * Its place in the order of a request. No two guards have the same one; fractions are allowed. The table in
   * docs/architecture.md has the positions of the built-in guards. A guard with a smaller number is further outside: it sees
   * the call earlier and the result later.
   */
  readonly position: number;
  /** What it does, in one sentence. */
  readonly summary: string;
  /**
   * Returns false to hide an operation from a principal. Lists leave a hidden operation out, and a call of it is
   * answered as if no operation had this name. An operation is visible when every guard agrees. The guards are asked
   * for each entry of a list and before each call, so `visible` must be cheap.
   */
  visible?(
    operation: GuardedOperation,
    principal: Principal | undefined,
    context: VisibilityContext,
  ): boolean;
  /**
   * Decides once for each operation, before its first call. All versions of a tool have its bare name for the guard of a
   * package.
   *
   * @returns `undefined` for an operation that it does not guard; it then costs that operation nothing
   */
  plan?(operation: Planned): PlannedGuard | undefined;
  /**
   * The same for completions of the arguments of a prompt or template: they run code of its author, too. The arguments of
   * such a call are the complete ones, without the one that is typed. Default: it does not guard them.
   */
  planCompletion?(operation: Planned): PlannedGuard | undefined;
}

/**
 * A built-in guard, with everything that the framework has to know about it. To add one, add a file beside
 * the others and a line in `guards.ts`.
 */
export interface BuiltInGuard extends Omit<Guard, 'plan' | 'planCompletion'> {
  /** The decorators whose options it reads, by the names that people write. */
  readonly decorators?: Readonly<Record<string, Policy<never[], unknown>>>;
  /**
   * Whether `visible` may hide this operation from somebody. Default: it may if the operation has one of the guard's
   * decorators, or if the guard reads no decorators. Lists with such operations are private to each caller.
   */
  readonly mayHide?: (operation: GuardedOperation, options: PipelineOptions) => boolean;
  /**
   * True if lists show the operation also to callers from whom `visible` hides it. It is for guards that refuse openly:
   * the caller then learns what it lacks, and can get it.
   */
  readonly staysListed?: (operation: GuardedOperation, options: PipelineOptions) => boolean;
  /**
   * True for a guard whose own step refuses callers from whom the operation is hidden. It then tells them what they
   * lack. Without it, nobody learns that the operation exists.
   */
  readonly refusesOpenly?: boolean;
  /** The step that the guard adds to the chain of an operation. Leave it out if the guard only hides operations. */
  readonly plan?: PlanGuard;
  readonly planCompletion?: PlanGuard;
  /**
   * The same for runs of a background method, which have no caller. Default: it does not guard them.
   *
   * @param noun what is run, for records
   */
  readonly planBackground?: (
    draft: AnyDraft,
    environment: Environment,
    noun: BackgroundNoun,
  ) => BuiltInStep | undefined;
}

/** A step that is to be planned. */
interface Part extends Pick<PlannedStep, 'name' | 'origin'> {
  readonly draft: AnyDraft;
}

/**
 * Plans one step of a chain. Where a stand-in lacks what only the server of the application has, it has another step in its
 * place, so that everything else of the operation is still known.
 *
 * @throws {ConfigurationError} for whatever is wrong in the code itself
 */
export function planPart(
  { name, origin, draft }: Part,
  { unmet }: Pick<Environment, 'unmet'>,
  plan: () => PlannedStep | undefined,
): PlannedStep[] {
  try {
    const planned = plan();
    return planned ? [planned] : [];
  } catch (error) {
    if (!unmet || !(error instanceof ConfigurationError)) throw error;
    const problems = problemsAt(error, locationOf(draft).location);
    if (stoppingProblems(problems, unmet).length > 0) throw error;
    const lacks = problems.map((problem) => problem.lacks).join(' and ');
    // Nobody calls the operations of such a server.
    return [{ name, origin, detail: `needs ${lacks} of the app`, step: refuseHidden }];
  }
}
