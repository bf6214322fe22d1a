import { pointerToken } from '@toolwright/json';
import { isObject, type Mistake, type Specification, stepsOf } from '../read/specification.js';
import { SpecificationError } from '../read/specification-error.js';

interface Placed {
  readonly method: string;
  readonly path: string;
}

/**
 * Refuses to make tools from operations with a mistake: they would have other arguments than the API, or fewer guards. A
 * mistake in an operation that is not chosen, or in a part that only such operations refer to, does no harm.
 *
 * @throws {SpecificationError} one line with the place
 */
export function requireSound(
  specification: Specification,
  found: readonly Placed[],
  chosen: readonly Placed[],
): void {
  const { mistakes } = specification;
  if (mistakes.length === 0) return;
  const places = found.map(placeOfOperation);
  const reached = reachedFrom(specification, chosen.map(placeOfOperation));
  const isOfOperation = ({ place }: Mistake) => places.some((each) => isWithin(place, each));
  const counting = mistakes.filter((each) =>
    each.isReferred || isOfOperation(each) ? reached.some((place) => isWithin(each.place, place)) : true,
  );
  // What is wrong with a whole part explains what is wrong with its parts.
  const depth = ({ place }: Mistake) => place.split('/').length;
  const [first, ...more] = counting.sort((a, b) => depth(a) - depth(b));
  if (!first) return;
  const others = more.length === 0 ? '' : ` Further mistakes: ${more.length}.`;
  const isAvoidable = counting.every((each) => each.isReferred || isOfOperation(each));
  const advice = isAvoidable ? 'Repair it, or exclude the operations that need it.' : 'Repair it.';
  throw new SpecificationError(`${first.place} ${first.message}. ${advice}${others}`);
}

const isWithin = (place: string, whole: string) => place === whole || place.startsWith(`${whole}/`);

/** The JSON pointer of an operation. */
export const placeOfOperation = ({ method, path }: Placed) =>
  `#/paths/${pointerToken(path)}/${method.toLowerCase()}`;

/** The places of operations, of what their paths share, and of all that they refer to. */
function reachedFrom(specification: Specification, operations: readonly string[]): string[] {
  const reached = new Set(
    operations.flatMap((each) => [each, `${each.slice(0, each.lastIndexOf('/'))}/parameters`]),
  );
  for (const place of reached) {
    const queue: unknown[] = [specification.resolve({ $ref: place }).value];
    const seen = new Set<unknown>();
    for (const value of queue) {
      if (!isObject(value) || seen.has(value)) continue;
      seen.add(value);
      const { $ref } = value as { $ref?: unknown };
      // Something else than a pointer, such as an anchor, is a mistake under its own name.
      if (typeof $ref === 'string' && !$ref.startsWith('#/')) reached.add($ref);
      else if (typeof $ref === 'string') reached.add(`#/${stepsOf($ref).map(pointerToken).join('/')}`);
      queue.push(...Object.values(value));
    }
  }
  return [...reached];
}
