import type { JsonSchema } from '@toolwright/manifest';
import type { Undeclared, Write } from './output-node.js';
import type { Plan } from './plan-types.js';

/** What planning needs from its writer. */
export interface OutputPlanning {
  readonly undeclared: Undeclared;
  /** Writes values of a schema with keywords that are unknown here. */
  exact(schema: JsonSchema): Write;
  /** The definition that a reference means; undefined if it leads nowhere, or out of the document. */
  definition(
    reference: string,
  ): { readonly schema: JsonSchema; readonly writer: { readonly write: Write } } | undefined;
}

export interface PlanContext {
  readonly planning: OutputPlanning;
  readonly plan: Plan;
}
