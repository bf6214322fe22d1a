import type { Environment } from '../pipeline/environment.js';
import { planPrompt, planResource, planResourceTemplate, planTool } from '../planning/plan.js';
import type { Planner } from './open-registry.js';

/** Gives every kind of draft the chain that the pipeline plans for it. */
export function pipelinePlanner(environment: Environment): Planner {
  return {
    tool: (draft) => planTool(draft, environment).operation,
    prompt: (draft) => planPrompt(draft, environment).operation,
    resource: (draft) => planResource(draft, environment).operation,
    resourceTemplate: (draft) => planResourceTemplate(draft, environment).operation,
  };
}
