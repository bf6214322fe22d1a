import type { ToolResult, PromptResult, ResourceResult } from '../protocol/content.js';
import type { PolicyOrigin } from '../metadata/policy.js';
import type { Environment } from './environment.js';
import type {
  BoundOperation,
  BoundPrompt,
  BoundResource,
  BoundResourceTemplate,
  BoundTool,
  Run,
  Step,
} from './operation.js';
import type { Target } from './target.js';

/** A bound operation that still lacks its chain, and what the end of that chain calls. */
export type Draft<O extends BoundOperation> = Omit<O, 'run' | 'plan'> & { readonly target: Target };
export type ToolDraft = Draft<BoundTool>;
export type PromptDraft = Draft<BoundPrompt>;
export type ResourceDraft = Draft<BoundResource>;
export type ResourceTemplateDraft = Draft<BoundResourceTemplate>;

/** Why a step is there: a decorator's place, the tool's annotations, its schema, or a default of the server. */
export type StepOrigin = PolicyOrigin | 'annotations' | 'schema' | 'default';

/** One step of a chain, as `toolwright explain` shows it. */
export interface StepDescription {
  readonly name: string;
  readonly origin: StepOrigin;
  /** The effective options in a few words. */
  readonly detail?: string;
}

export interface PlannedStep extends StepDescription {
  readonly step: Step;
}

/** A chain that is ready to run, and what it consists of, outermost first. */
export interface Plan<R> {
  readonly run: Run<R>;
  readonly steps: readonly StepDescription[];
}

export declare function planTool(draft: ToolDraft, environment: Environment): Plan<ToolResult>;
export declare function planPrompt(draft: PromptDraft, environment: Environment): Plan<PromptResult>;
export declare function planResource(draft: ResourceDraft, environment: Environment): Plan<ResourceResult>;
export declare function planResourceTemplate(
  draft: ResourceTemplateDraft,
  environment: Environment,
): Plan<ResourceResult>;
