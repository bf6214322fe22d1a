import type { Environment } from '../../call/environment.js';
import type { AnyDraft } from '../../call/operation/draft.js';
import { mayFail } from '../../policies/plan-chain.js';
import { kindRecordOf } from '../kinds/kinds.js';
import type { Planner } from './server-registry.js';

/** Gives every draft the chain that its kind plans for it. */
export function pipelinePlanner(environment: Environment): Planner {
  return {
    plan: (draft) => kindRecordOf(draft.kind).plan(draft as never, environment),
    mayFail: (draft) => mayFail(draft as AnyDraft, environment),
  };
}
