import {
  type InexactNumber,
  LongInteger,
  type Problem,
  type Revival,
  pointerToken,
  setOwn,
  type Validator,
} from '@toolwright/json';
import type { TypeTable } from '../operation/draft.js';

type Arguments = Readonly<Record<string, unknown>>;

/** How the arguments of an operation are read. */
interface Reading {
  /** Missing if no part of the arguments is converted. */
  readonly revival: Revival | undefined;
  readonly types: TypeTable | undefined;
  readonly validator: Validator;
}

/**
 * What is wrong with numbers that are not what the client wrote. The arguments have the digits of each long integer
 * as text, which is right for a `bigint`.
 */
export function findInexactProblems(
  args: Arguments,
  numbers: readonly InexactNumber[],
  { revival, types, validator }: Reading,
): readonly Problem[] {
  const taken = (each: InexactNumber) =>
    each.value instanceof LongInteger && isBigInt(revival, each.path, types);
  const refused = numbers.filter((each) => !taken(each));
  if (refused.length > 0) return refused.map(problemOf);
  // Another part of a union may take the text and no number.
  return validator(rounded(args, numbers)) ? numbers.map(problemOf) : [];
}

function problemOf({ path, why, value }: InexactNumber): Problem {
  const pointer = path.map((each) => `/${pointerToken(each)}`).join('');
  return { pointer, keyword: 'type', expected: why, isSentence: true, received: { value } };
}

/** Whether a value at a path becomes a `bigint`. */
function isBigInt(
  revival: Revival | undefined | null,
  path: readonly string[],
  types: TypeTable | undefined,
): boolean {
  const [key, ...below] = path;
  const inside = (part: Revival | undefined | null, rest: readonly string[] = below) =>
    isBigInt(part, rest, types);
  switch (revival?.kind) {
    case 'bigint':
      return key === undefined;
    case 'ref':
      return inside(types?.revival(revival.name), path);
    case 'union':
      return revival.options.some(({ revive }) => inside(revive, path));
    case 'array':
    case 'set':
      return inside(revival.items);
    case 'tuple':
      return inside(revival.items[Number(key)] ?? revival.rest);
    case 'map':
      if (!revival.pairs) return inside(revival.values);
      return inside(below[0] === '0' ? revival.keys : revival.values, below.slice(1));
    case 'object':
      return inside(
        key !== undefined && Object.hasOwn(revival.properties ?? {}, key)
          ? revival.properties![key]
          : revival.additional,
      );
    default:
      return false;
  }
}

/** A copy with the numbers that other programs would have read. */
function rounded(args: Arguments, numbers: readonly InexactNumber[]): Arguments {
  const copy = structuredClone(args);
  for (const { path, value } of numbers) {
    const holder = path.slice(0, -1).reduce<unknown>((part, key) => (part as never)[key], copy);
    setOwn(holder as object, path.at(-1)!, Number(String(value)));
  }
  return copy;
}
