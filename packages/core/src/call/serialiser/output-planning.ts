import type { JsonSchema } from '@toolwright/manifest';
import type { Undeclared, Write } from './output-node.js';
import type { Plan } from './plan-types.js';

/** What planning needs of the writer that it is for. */
export interface OutputPlanning {
  readonly undeclared: Undeclared;
  /** Writes values of a schema that has other keywords than are known here. */
  exact(schema: JsonSchema): Write;
  /** What a reference means; undefined where it leads nowhere, or out of the document. */
  definition(
    reference: string,
  ): { readonly schema: JsonSchema; readonly writer: { readonly write: Write } } | undefined;
}

export interface PlanContext {
  readonly planning: OutputPlanning;
  readonly plan: Plan;
}
