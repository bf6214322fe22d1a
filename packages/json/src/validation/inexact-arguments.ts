import type { InexactNumber } from '../numbers/inexact-numbers.js';
import type { JsonSchema } from '../schema/json-schema.js';
import { numbersWithoutDigits } from '../constraints/digits-in-place.js';
import type { Problem } from './problem.js';
import { pointerToken, setOwn } from '../base/json-values.js';
import { validatorFor } from './validator.js';

type Arguments = Readonly<Record<string, unknown>>;

/**
 * What is wrong with numbers that are not what the client wrote. The arguments have the digits of each long integer
 * as text, which is right where the schema takes digits.
 */
export function findInexactProblems(
  args: Arguments,
  numbers: readonly InexactNumber[],
  schema: JsonSchema,
): readonly Problem[] {
  const refused = numbersWithoutDigits(numbers, schema);
  if (refused.length > 0) return refused.map(problemOf);
  // Another part of a union may take the text and no number.
  return validatorFor(schema, 'caller')(rounded(args, numbers)) ? numbers.map(problemOf) : [];
}

function problemOf({ path, why, value }: InexactNumber): Problem {
  const pointer = path.map((each) => `/${pointerToken(each)}`).join('');
  return { pointer, keyword: 'type', expected: why, isSentence: true, received: { value } };
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
