import type { Finding, RuleId } from '../finding.js';
import type { Directory } from './directory.js';

/** One rule of one directory. */
export interface Requirement<Subject> {
  rule: Extract<RuleId, `directory-${string}`>;
  directory: Directory;
  severity: Finding['severity'];
  /** The address of the page on which the directory publishes the rule. */
  source: string;
  /** What the subject lacks, one message each. */
  check(subject: Subject): string[];
}

/** The findings of the chosen directories about one subject. */
export function findBreaches<Subject>(
  requirements: readonly Requirement<Subject>[],
  chosen: readonly Directory[],
  subject: Subject,
): Finding[] {
  return requirements
    .filter(({ directory }) => chosen.includes(directory))
    .flatMap(({ check, ...rule }) => check(subject).map((message) => ({ ...rule, message })));
}

/** The message, if the condition is true. */
export const unless = (fine: boolean, message: string): string[] => (fine ? [] : [message]);
