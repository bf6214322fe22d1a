import { escapePattern } from '@toolwright/json';
import type { SkippedOperation } from './planned-operation.js';

/** What is known of an operation when it is selected. */
export interface ChosenOperation {
  readonly key: string;
  readonly operationId: string | undefined;
  readonly path: string;
  readonly tags: readonly string[];
  readonly deprecated: boolean;
  /** Its body or its answer is a file. */
  readonly binary: boolean;
  /** Why it can become no tool, also where a pattern names it. */
  readonly unsupported?: string | undefined;
}

export interface OperationSelection {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly maxTools?: number;
}

/**
 * Chooses operations by patterns for their operationId, `METHOD /path`, path or tag. `*` is any text. Deprecated
 * operations and those with files are only chosen by a pattern that names one exactly.
 */
export function selectOperations<T extends ChosenOperation>(
  candidates: readonly T[],
  { include = [], exclude = [], maxTools = Infinity }: OperationSelection,
): { chosen: T[]; skipped: SkippedOperation[] } {
  const chosen: T[] = [];
  const skipped: SkippedOperation[] = [];
  for (const each of candidates) {
    const reason =
      reasonAgainst(each, include, exclude) ?? (chosen.length < maxTools ? undefined : 'over --max-tools');
    if (reason === undefined) chosen.push(each);
    else skipped.push({ operation: each.operationId ?? each.key, reason });
  }
  return { chosen, skipped };
}

/** The patterns that match no operation: a name that was misspelt, or that a new version does not have. */
export const withoutMatch = (
  candidates: readonly ChosenOperation[],
  patterns: readonly string[] = [],
): string[] => patterns.filter((pattern) => !candidates.some((each) => matches(pattern, each)));

function reasonAgainst(
  each: ChosenOperation,
  include: readonly string[],
  exclude: readonly string[],
): string | undefined {
  const isNamed = include.some((pattern) => pattern === each.operationId || pattern === each.key);
  if (exclude.some((pattern) => matches(pattern, each))) return 'excluded';
  if (include.length > 0 && !include.some((pattern) => matches(pattern, each))) return 'not included';
  if (each.unsupported !== undefined) return each.unsupported;
  if (each.deprecated && !isNamed) return 'deprecated: name it with --include to have it';
  if (each.binary && !isNamed) return 'a file is sent or answered: name it with --include to have it';
  return undefined;
}

function matches(pattern: string, { key, operationId, path, tags }: ChosenOperation): boolean {
  const text = escapePattern(pattern).replaceAll('\\*', '.*').replaceAll('\\?', '.');
  const whole = new RegExp(`^${text}$`, 'i');
  return [key, path, ...tags, ...(operationId === undefined ? [] : [operationId])].some((name) =>
    whole.test(name),
  );
}
