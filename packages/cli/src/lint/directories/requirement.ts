import type { Directory, LintProblem, RuleId } from '../lint-problem.js';

export type Json = Record<string, unknown>;

/** `1.2.3` and `2024-11-05` name one release; `^1.2.3`, `1.x` and `latest` do not. */
const RANGE = /^[\^~<>=]|\*|(^|\.)x($|\.)|\|\||\s|^latest$/i;
const LONGEST_VERSION = 255;

export const isText = (value: unknown, longest = Infinity): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= longest;

export const isOneVersion = (value: unknown): value is string =>
  isText(value, LONGEST_VERSION) && !RANGE.test(value);

export const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** The objects of a list; none if it is not a list. */
export const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** One rule of one directory. */
export interface Requirement<Subject> {
  rule: Extract<RuleId, `directory-${string}`>;
  directory: Directory;
  severity: LintProblem['severity'];
  /** The address of the page on which the directory publishes the rule. */
  source: string;
  /** What the subject lacks, one message each. */
  check(subject: Subject): string[];
}

/** The problems of the chosen directories about one subject. */
export function findUnmet<Subject>(
  requirements: readonly Requirement<Subject>[],
  chosen: readonly Directory[],
  subject: Subject,
): LintProblem[] {
  return requirements
    .filter(({ directory }) => chosen.includes(directory))
    .flatMap(({ check, ...rule }) => check(subject).map((message) => ({ ...rule, message })));
}

/** The message, if the condition is true. */
export const unless = (fine: boolean, message: string): string[] => (fine ? [] : [message]);
