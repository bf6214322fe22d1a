import type { JsonSchema, SourceLocation } from '@toolwright/manifest';

/** The rules by id; docs/lint.md has a section on each. */
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

/** `error`: a client or a model is misled; `warning`: the tool works, and could be used better. */
export interface Finding {
  rule: RuleId;
  severity: 'error' | 'warning';
  message: string;
  /** Name of the tool; absent for what concerns the list as a whole. */
  tool?: string;
  location?: SourceLocation;
}

/** A tool as its source has it. */
export interface LintedTool {
  name: string;
  description: string;
  input: JsonSchema;
  output: JsonSchema | null;
  location: SourceLocation;
  /** Known once the project has been built: annotations are values, and only running code has those. */
  planned?: { annotations: Readonly<Record<string, unknown>>; confirms: boolean };
}
