import type { Environment } from '../../call/environment.js';
import { mayFail } from '../../policies/plan-chain.js';
import { planPrompt, planResource, planResourceTemplate, planTool } from '../../policies/plan-operations.js';
import type { Planner } from './server-registry.js';

/** Gives every kind of draft the chain that the pipeline plans for it. */
export function pipelinePlanner(environment: Environment): Planner {
  return {
    tool: (draft) => planTool(draft, environment),
    prompt: (draft) => planPrompt(draft, environment),
    resource: (draft) => planResource(draft, environment),
    resourceTemplate: (draft) => planResourceTemplate(draft, environment),
    mayFail: (draft) => mayFail(draft, environment),
  };
}
