import { type InexactNumber, inexactNumbers, withoutText } from '../numbers/inexact-numbers.js';
import { hasLongDigits, LongInteger, readJson } from '../numbers/read-json.js';
import { type Schemas, SchemaPlaces } from '../schema/schema-places.js';
import type { JsonSchema } from '../schema/json-schema.js';
import { setOwn } from '../base/json-values.js';
import { isDigitPattern } from './digit-range.js';

/**
 * Those numbers of a value that its schema does not take. A long integer is taken where the digits of any integer are: for a
 * `bigint`, and for an integer of 64 bits of an API.
 */
export function numbersWithoutDigits(
  numbers: readonly InexactNumber[],
  schema: JsonSchema,
): readonly InexactNumber[] {
  const places = new SchemaPlaces(schema);
  return numbers.flatMap((number) => {
    const schemas = places.at(number.path);
    const takesDigits = schemas.some(({ pattern }) => isDigitPattern(pattern));
    if (takesDigits && number.value instanceof LongInteger) return [];
    return [isMultiple(schemas) ? withoutText(number) : number];
  });
}

/** No text is a multiple, so a `bigint` that has to be one is a number alone. */
function isMultiple(schemas: Schemas): boolean {
  return (
    schemas.some(({ multipleOf }) => multipleOf !== undefined) &&
    !schemas.some(({ type }) => [type].flat().includes('string'))
  );
}

/** Puts the digits of long integers into a value that `readJson` has made and that nobody else has. */
export function digitsInPlace(value: unknown, numbers: readonly InexactNumber[]): unknown {
  const whole = { value };
  for (const { path, value: number } of numbers) {
    if (!(number instanceof LongInteger)) continue;
    const all = ['value', ...path];
    const holder = all.slice(0, -1).reduce<unknown>((part, key) => (part as never)[key], whole);
    setOwn(holder as object, all.at(-1)!, number.toString());
  }
  return whole.value;
}

/** JSON that this process has written, with the digits as text of each integer that no double holds. */
export function readDigits(text: string): unknown {
  const value = readJson(text);
  return hasLongDigits(text) ? digitsInPlace(value, inexactNumbers(value, false)) : value;
}
