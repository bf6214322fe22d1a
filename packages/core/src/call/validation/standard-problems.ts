import { pointerToken, pointerTokens } from '../../base/json-pointer.js';
import type { StandardIssue } from '../../base/schema/standard-schema.js';
import type { Problem } from './problem.js';

/** More issues than this help nobody. A library may find one for each item of a long list. */
const MAX_ISSUES = 100;
const MAX_MESSAGE = 500;
const MAX_DEPTH = 32;

/**
 * The issues that a schema found, as problems of the arguments.
 *
 * @param value what the schema was asked about
 * @param place the pointer of that value in the arguments
 */
export function standardProblems(
  issues: readonly StandardIssue[],
  value: unknown,
  place: string,
): readonly Problem[] {
  return issues.slice(0, MAX_ISSUES).map(({ message, path = [] }): Problem => {
    const tokens = path.slice(0, MAX_DEPTH).map(tokenOf);
    const pointer = `${place}${tokens.map((token) => `/${pointerToken(token)}`).join('')}`;
    const found = valueAt(value, pointer.slice(place.length));
    return {
      pointer,
      keyword: 'standard',
      expected: String(message).slice(0, MAX_MESSAGE),
      isSentence: true,
      ...(found && isPlain(found.value) && { received: found }),
    };
  });
}

/**
 * The problem of a value on which the author's code in a schema failed; undefined if it is not the value's
 * fault. A refinement may run into an unexpected value, as `value.length` does for undefined.
 */
export function thrownProblem(error: unknown, pointer: string): Problem | undefined {
  const isValues = error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
  return isValues ? { pointer, keyword: 'standard', expected: 'a value that can be read' } : undefined;
}

type Segment = NonNullable<StandardIssue['path']>[number];

function tokenOf(segment: Segment): string {
  return String(typeof segment === 'object' ? segment.key : segment);
}

/** Undefined if there is nothing, as for a missing property. Inherited properties are nothing, too. */
function valueAt(root: unknown, pointer: string): { value: unknown } | undefined {
  let value = root;
  for (const token of pointerTokens(pointer)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) return undefined;
    value = (value as Record<string, unknown>)[token];
  }
  return value === undefined ? undefined : { value };
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value !== 'object';
}
