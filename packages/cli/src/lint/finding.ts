import type { JsonSchema } from '@toolwright/json';
import type { SourceLocation } from '@toolwright/manifest';
import type { Directory } from './directories/directory.js';

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
  'directory-title',
  'directory-hints',
  'directory-name',
  'directory-read-write',
  'directory-description',
  'directory-result',
  'directory-authentication',
  'directory-app-csp',
  'directory-app-domain',
  'directory-links',
  'directory-server-json',
  'directory-unchecked',
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
  /** The directory whose rule this is, and the address of the page on which it publishes the rule. */
  directory?: Directory;
  source?: string;
}

/** A tool as described by its source. */
export interface LintedTool {
  name: string;
  /** The title for people. Titles that are no literals are known only if the project has been built. */
  title?: string;
  description: string;
  input: JsonSchema;
  output: JsonSchema | null;
  location: SourceLocation;
  /** Set if the project has been built. Annotations are values, and they exist only at run time. */
  planned?: { annotations: Readonly<Record<string, unknown>>; confirms: boolean };
}
