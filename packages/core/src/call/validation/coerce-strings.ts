import { pointerTokens } from '../../base/json-pointer.js';
import type { Problem } from './problem.js';

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
    const value = JSON.parse(text) as unknown;
    return typeof value !== 'string' && isShallow(value, deepest) ? { value } : undefined;
  } catch {
    return undefined;
  }
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((part) => isShallow(part, levels - 1));
}
