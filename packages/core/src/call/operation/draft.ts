import type { JsonSchema } from '@toolwright/manifest';
import type {
  BoundOperation,
  BoundPrompt,
  BoundResource,
  BoundResourceTemplate,
  BoundTool,
} from './operation.js';
import type { Target } from './target.js';

/** A bound operation that still lacks its chain, and what the end of that chain calls. */
export type Draft<O extends BoundOperation> = Omit<O, 'run' | 'plan' | 'contract'> & {
  /** A tool's, where something was added to its schemas since they were written; otherwise see `toolContract`. */
  readonly contract?: string;
  /** Has the location where nobody gave one: asked when it is told, since rendering it takes as long as planning. */
  readonly site?: { readonly location: string | undefined };
  readonly target: Target;
  /** Natural 2020-12 schema of the arguments. Without one, what the client sends is passed on unchecked. */
  readonly inputSchema?: JsonSchema;
};
export type ToolDraft = Draft<BoundTool>;
export type PromptDraft = Draft<BoundPrompt>;
export type ResourceDraft = Draft<BoundResource>;
export type ResourceTemplateDraft = Draft<BoundResourceTemplate>;
export type AnyDraft = ToolDraft | PromptDraft | ResourceDraft | ResourceTemplateDraft;

/** What says where an operation was written, ready or not. */
export type Located = Pick<AnyDraft, 'location' | 'site'>;

/** `{ location }` for a problem with an operation; empty where nobody knows. */
export function locationOf({ location, site }: Located): { location?: string } {
  const known = location ?? site?.location;
  return known ? { location: known } : {};
}
