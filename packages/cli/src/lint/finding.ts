import type { JsonSchema, SourceLocation } from '@toolwright/manifest';

/** The ids of the rules. docs/lint.md has a section on each. */
export const ruleIds = [
  'tool-name',
  'verb-first',
  'description-missing',
  'description-placeholder',
  'returns-missing',
  'parameter-description',
  'number-unbounded',
  'text-unbounded',
  'hidden-unicode',
  'annotations-missing',
  'destructive-unconfirmed',
  'list-size',
] as const;

export type RuleId = (typeof ruleIds)[number];

/** `error`: a client or a model is misled. `warning`: the tool works, but could be better. */
export interface Finding {
  rule: RuleId;
  severity: 'error' | 'warning';
  message: string;
  /** The name of the tool; missing if the finding concerns the whole list. */
  tool?: string;
  location?: SourceLocation;
}

/** A tool as described by its source. */
export interface LintedTool {
  name: string;
  description: string;
  input: JsonSchema;
  output: JsonSchema | null;
  location: SourceLocation;
  /** Set if the project has been built. Annotations are values, and they exist only at run time. */
  planned?: { annotations: Readonly<Record<string, unknown>>; confirms: boolean };
}
