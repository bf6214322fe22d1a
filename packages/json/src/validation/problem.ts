import { uriHint } from '../addresses/uri-text.js';
import { valueText } from '../numbers/exact-number-text.js';
import { isExact } from '../numbers/inexact-numbers.js';
import { LongInteger, readJson } from '../numbers/read-json.js';
import { cutText } from '../text/cut-text.js';
import { memberAt, pointerToken, pointerTokens } from '../base/json-values.js';
import { expectation } from './expectation.js';
import { isUnion, nearestErrors } from './nearest-alternative.js';
import type { FailedKeyword } from './validation-run.js';
import { getOrMake } from '../schema/once.js';

/** One problem of a value, in words that a model can act on. */
export interface Problem {
  /** The JSON pointer of the wrong value. */
  readonly pointer: string;
  /** What was expected there, such as `at least 1`. */
  readonly expected: string;
  /** The wrong value. It is absent if something is missing, or if the value must not be repeated. */
  readonly received?: { value: unknown };
  /** The keyword of the schema that the value breaks. */
  readonly keyword: string;
  /** `expected` is a sentence of the author or of class-validator, and is sent unchanged. */
  readonly isSentence?: boolean;
  /** The value must not be repeated, whatever the schema says. */
  readonly sensitive?: boolean;
}

/** Keywords and class-validator's names for checks with patterns. */
const matching = new Set(['pattern', 'format', 'matches']);

/** Says that a text may be too long, if the budget of a check was used up. */
export function tellTooLong(problem: Problem): Problem {
  return matching.has(problem.keyword)
    ? { ...problem, expected: `${problem.expected}, and shorter: it would take too long to tell` }
    : problem;
}

/** Turns failed keywords into problems of `value`. For a union, only the nearest alternative is reported. */
export function problemsOf(errors: readonly FailedKeyword[], value: unknown): Problem[] {
  const kept = resolveUnions(errors).filter(({ keyword }) => !consequences.has(keyword));
  return eachOnce((kept.length ? kept : errors).map((error) => problemOf(error, value)));
}

/** Each problem once. Two that say the same of one place are one problem. */
export function eachOnce(problems: readonly Problem[]): Problem[] {
  const seen = new Set<string>();
  return problems.filter(({ pointer, expected }) => {
    const key = `${pointer} ${expected}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** The problem of a value that was not checked to its end. */
export const TOO_COMPLEX: readonly Problem[] = [
  {
    pointer: '',
    keyword: '$ref',
    expected: 'a smaller or less nested value: it would take too long to check',
  },
];

/**
 * The number of union errors times the number of all errors. Finding the intended alternative takes this many
 * comparisons.
 */
const MAX_COMPARED = 100_000;
/** The caller only sees twenty of them. */
const MAX_ERRORS = 1_000;

/** The same for any number of errors. Returns `TOO_COMPLEX` if comparing them would take too long. */
export function problemsWithinLimits(errors: readonly FailedKeyword[], value: unknown): readonly Problem[] {
  const unions = errors.filter(isUnion).length;
  if (unions * errors.length > MAX_COMPARED) return TOO_COMPLEX;
  return problemsOf(unions > 0 ? errors : errors.slice(0, MAX_ERRORS), value);
}

/** Above this many values, collecting all errors would cost an attacker little and the server much. */
const MAX_EXPLAINED = 5_000;

/**
 * The first error ends a check, so that `maxLength` keeps a long text away from the pattern beside it. An
 * explanation runs both.
 */
const MAX_EXPLAINED_TEXT = 1_000;

/** True for a value that is too large to report everything that is wrong with it. */
export function isLarge(value: unknown): boolean {
  let left = MAX_EXPLAINED;
  const visit = (part: unknown): boolean => {
    if (--left < 0) return true;
    if (typeof part === 'string') return part.length > MAX_EXPLAINED_TEXT;
    if (typeof part !== 'object' || part === null) return false;
    if (Array.isArray(part) && part.length > left) return true;
    return Object.values(part).some(visit);
  };
  return visit(value);
}

/** Keywords that only repeat that something inside them failed. */
const consequences = new Set(['if', 'propertyNames']);

function problemOf(error: FailedKeyword, root: unknown): Problem {
  const { keyword, instancePath, params } = error;
  const missing = keyword === 'required' || keyword === 'dependentRequired';
  const extra = keyword === 'additionalProperties' || keyword === 'unevaluatedProperties';
  const name = missing
    ? (params as { missingProperty: string }).missingProperty
    : extra
      ? String(
          (params as Record<string, string>).additionalProperty ??
            (params as Record<string, string>).unevaluatedProperty,
        )
      : undefined;
  const pointer = name === undefined ? instancePath : `${instancePath}/${pointerToken(name)}`;
  const expected = expectation(error);
  if (missing || extra) return { pointer, expected, keyword };
  const value = memberAt(root, pointerTokens(instancePath));
  const { format } = params as { format?: string };
  const hint = format === 'uri' && typeof value === 'string' ? uriHint(value) : '';
  return { pointer, expected: expected + hint, keyword, received: { value } };
}

/** Replaces the errors of each failed union by the errors of its nearest alternative. */
function resolveUnions(errors: readonly FailedKeyword[]): FailedKeyword[] {
  let kept = [...errors];
  for (const union of errors.filter(isUnion)) {
    const byAlternative = new Map<number, FailedKeyword[]>();
    for (const error of kept) {
      const index = error === union ? -1 : alternativeOf(error, union);
      if (index < 0) continue;
      getOrMake(byAlternative, index, () => []).push(error);
    }
    const branches = [...byAlternative].sort(([a], [b]) => a - b).map(([, branch]) => branch);
    const inside = new Set(branches.flat());
    const said = nearestErrors(branches, union);
    kept = kept.filter((error) => !inside.has(error) && (said === undefined || error !== union));
    if (said) kept.push(...said);
  }
  return kept;
}

/** The index of the alternative that an error is from; -1 if it is not from the union. */
function alternativeOf({ instancePath, schemaPath }: FailedKeyword, union: FailedKeyword): number {
  if (!instancePath.startsWith(union.instancePath)) return -1;
  const prefix = `${union.schemaPath}/`;
  return schemaPath.startsWith(prefix) ? Number.parseInt(schemaPath.slice(prefix.length), 10) : -1;
}

/** Enough for all problems of a model in one call. A longer list helps nobody. */
const most = 20;
const longestText = 4_000;
const longestValue = 80;

/** All problems in one text of limited length, one line each: `path: expected …, received …`. */
export function describeProblems(problems: readonly Problem[]): string {
  const lines: string[] = [];
  let length = 0;
  for (const problem of problems.slice(0, most)) {
    const line = describeProblem(problem);
    length += line.length;
    if (length > longestText) break;
    lines.push(line);
  }
  const left = problems.length - lines.length;
  if (left > 0) lines.push(`… and ${left} more.`);
  return lines.join('\n');
}

function describeProblem(problem: Problem): string {
  return `- ${readablePath(problem.pointer)}: ${wordsOf(problem)}`;
}

/**
 * What was expected and what was found, without the place.
 *
 * @param describe writes what was found; `kindOfValue` is for texts that no value may be in
 */
export function wordsOf({ expected, received, isSentence }: Problem, describe = describeValue): string {
  const isWhole = isSentence === true || /^(required|not a|no )/.test(expected);
  const words = isWhole ? expected : `expected ${expected}`;
  const given = received ? ` ${describe(received.value)}` : '';
  const joint = /[.!?]$/.test(words) ? ' Received' : ', received';
  return `${words}${given && `${joint}${given}`}`;
}

/** Writes `/items/0/name` as authors do: `items[0].name`. */
export function readablePath(pointer: string): string {
  const path = pointerTokens(pointer)
    .map((token) => (/^\d+$/.test(token) ? `[${token}]` : `.${cutText(token, longestValue)}`))
    .join('');
  return cutText(path.replace(/^\./, ''), 200) || 'arguments';
}

/** What kind of value it is: `a string`, `an array of 2 items`. It says nothing of what is in it. */
export function kindOfValue(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return `an array of ${value.length} item${value.length === 1 ? '' : 's'}`;
  if (value instanceof LongInteger) return 'a number';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function describeValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value.length > longestValue
        ? `a string of ${value.length} characters: ${JSON.stringify(cutText(value, longestValue))}…`
        : `the string ${JSON.stringify(value)}`;
    case 'number':
      return `the number ${valueText(value)}`;
    case 'undefined':
    case 'object':
      return value instanceof LongInteger
        ? `the number ${cutText(value.toString(), longestValue, '…')}`
        : kindOfValue(value);
    default:
      return `the ${typeof value} ${String(value)}`;
  }
}

/** A string may contain nesting that the check of the whole message did not see. */
const deepest = 64;

/**
 * Replaces strings by the JSON that they contain, because some models write `{"tags": "[\"a\"]"}`. It does so
 * only where validation has reported a wrong type.
 *
 * @returns a copy
 */
export function coerceStrings(
  args: Record<string, unknown>,
  problems: readonly Problem[],
): Record<string, unknown> {
  const copy = structuredClone(args);
  for (const { pointer, received, keyword } of problems) {
    if (typeof received?.value !== 'string' || !mistyped.has(keyword)) continue;
    const tokens = pointerTokens(pointer);
    const last = tokens.pop();
    const parent = tokens.reduce<unknown>(
      (value, token) => (value as Record<string, unknown> | undefined)?.[token],
      copy,
    );
    const parsed = parse(received.value);
    if (last !== undefined && parsed && Object.hasOwn(parent as object, last)) {
      (parent as Record<string, unknown>)[last] = parsed.value;
    }
  }
  return copy;
}

const mistyped = new Set(['type', 'enum', 'const', 'anyOf', 'oneOf']);

function parse(text: string): { value: unknown } | undefined {
  try {
    const value = readJson(text, 1);
    return typeof value !== 'string' && isShallow(value, deepest) && isExact(value) ? { value } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether objects and lists are inside each other in this many levels at most. */
export function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((part) => isShallow(part, levels - 1));
}
