import type { OperationKind } from '../../base/operation-kinds.js';
import type { JsonSchema } from '@toolwright/manifest';
import type {
  BoundOperation,
  BoundPrompt,
  BoundResource,
  BoundResourceTemplate,
  BoundTool,
  OfKind,
  ToolTask,
} from './operation.js';
import type { Target } from './target.js';

/** A bound operation without its chain, and what the end of that chain calls. */
export type Draft<O extends BoundOperation> = Omit<O, 'run' | 'plan' | 'contract'> & {
  /**
   * The contract of a tool, if its schemas were extended after they were written. Otherwise see
   * `contractOf`.
   */
  readonly contract?: string;
  /**
   * Knows the location when nobody passed one. It is read only when it is shown, because rendering it takes
   * as long as planning.
   */
  readonly site?: { readonly location: string | undefined };
  readonly target: Target;
  /** The natural 2020-12 schema of the arguments. Without it, the arguments are passed on unchecked. */
  readonly inputSchema?: JsonSchema;
};
export type ToolDraft = Draft<BoundTool>;
export type PromptDraft = Draft<BoundPrompt>;
export type ResourceDraft = Draft<BoundResource>;
export type ResourceTemplateDraft = Draft<BoundResourceTemplate>;
export type AnyDraft = { [K in OperationKind]: Draft<OfKind<K>> }[OperationKind];

/** How calls of an operation become tasks, if they do. */
export function taskOf(draft: AnyDraft): ToolTask | undefined {
  return 'task' in draft ? draft.task : undefined;
}

/** The part of an operation, ready or not, that says where it was written. */
export type Located = Pick<AnyDraft, 'location' | 'site'>;

/** `{ location }` for a problem of an operation; an empty object when the location is not known. */
export function locationOf({ location, site }: Located): { location?: string } {
  const known = location ?? site?.location;
  return known ? { location: known } : {};
}
