import type { JsonSchema } from '@toolwright/json';
import type { BoundTool, StepDescription } from '../../call/operation/operation.js';

/** What `toolwright explain` shows about a tool. */
export interface ToolExplanation {
  name: string;
  description?: string;
  /** The place of the decorator, as `file:line:column`. */
  location?: string;
  /** The key of the manifest entry. */
  key?: string;
  annotations: BoundTool['annotations'];
  /** The natural schemas. Arguments and results are validated against them. */
  input: JsonSchema;
  output: JsonSchema | null;
  policies: { name: string; origin: string }[];
  /** The planned chain of steps, outermost first. */
  steps: readonly StepDescription[];
  contract: string;
}

export function explainTool(tool: BoundTool): ToolExplanation {
  const {
    name,
    description,
    location,
    entry,
    annotations,
    inputSchema,
    outputSchema,
    policies,
    plan,
    contract,
  } = tool;
  return {
    name,
    ...(description !== undefined && { description }),
    ...(location !== undefined && { location }),
    ...(entry && { key: entry.key }),
    annotations,
    input: inputSchema,
    output: outputSchema ?? null,
    policies: [...policies].map(([policy, { origin }]) => ({ name: policy, origin })),
    steps: plan ?? [],
    contract,
  };
}
