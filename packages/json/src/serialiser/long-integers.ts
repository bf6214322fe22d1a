import { isBeyondSafe, LongInteger } from '../numbers/read-json.js';
import type { JsonSchema } from '../schema/json-schema.js';
import type { Problem } from '../validation/problem.js';
import { validatorFor } from '../validation/validator.js';
import { pointerToken, setOwn } from '../base/json-values.js';

/** A value of JSON whose long integers are numbers again at some places, and their digits by these places. */
export interface WithNumbers {
  readonly json: unknown;
  readonly digits: ReadonlyMap<string, string>;
}

/**
 * A value that does not fit its schema because an integer beyond 2^53 - 1 is a string of digits there. The first try has
 * numbers where problems are. A check of many values reports the first problem only, so the second one has them at like
 * places of lists, too. The last one has them everywhere: a problem of alternatives is often reported further out.
 *
 * @param problems what is wrong with the value
 * @returns nothing if the value has no such integer
 */
export function* withNumbers(json: unknown, problems: readonly Problem[]): Generator<WithNumbers> {
  const all = [...longTexts(json)];
  const exact = new Set(problems.map(({ pointer }) => pointer));
  const alike = new Set([...exact].map(likeOthers));
  const tries = [
    all.filter(([pointer]) => exact.has(pointer)),
    all.filter(([pointer]) => alike.has(likeOthers(pointer))),
    all,
  ];
  let tried = 0;
  for (const each of tries) {
    if (each.length === tried) continue;
    tried = each.length;
    yield replaced(json, new Map(each));
  }
}

const likeOthers = (pointer: string) => pointer.replace(/\/\d+(?=\/|$)/g, '/*');

/** As JSON writes integers. */
const INTEGER = /^-?[1-9]\d{15,}$/;

function longTexts(json: unknown): Map<string, string> {
  const found = new Map<string, string>();
  // Nearly no value has such a text, so a pointer is written only for one that has.
  const path: string[] = [];
  const visit = (part: unknown): void => {
    if (typeof part === 'string') {
      if (INTEGER.test(part) && isBeyondSafe(Number(part)))
        found.set(path.map((key) => `/${pointerToken(key)}`).join(''), part);
    } else if (typeof part === 'object' && part !== null)
      for (const key of Object.keys(part)) {
        const each = (part as Record<string, unknown>)[key];
        if (typeof each !== 'string' && typeof each !== 'object') continue;
        path.push(key);
        visit(each);
        path.pop();
      }
  };
  visit(json);
  return found;
}

function replaced(json: unknown, digits: ReadonlyMap<string, string>): WithNumbers {
  return { json: mapAt(json, digits, rounded), digits };
}

/** What a schema is asked about. No schema has bounds between an integer and its double that an author could mean. */
function rounded(digits: string): number {
  const number = Number(digits);
  return Number.isFinite(number) ? number : Math.sign(number) * Number.MAX_VALUE;
}

/** The same value with numbers at some places, which `writeJson` writes with all their digits. */
export function withDigits(json: unknown, digits: ReadonlyMap<string, string>): unknown {
  return mapAt(json, digits, (each) => new LongInteger(each));
}

/**
 * A result that was kept with the digits of its long integers as text, as it is sent: where its schema takes numbers alone,
 * they are numbers again.
 *
 * @param schemaOf asked only if there is such an integer
 * @returns the same value if no text has to be a number
 */
export function numbersInPlace(json: unknown, schemaOf: () => JsonSchema | undefined): unknown {
  const schema = longTexts(json).size > 0 ? schemaOf() : undefined;
  const check = schema && validatorFor(schema, 'method');
  const problems = check?.(json);
  if (!check || !problems) return json;
  for (const each of withNumbers(json, problems)) if (!check(each.json)) return withDigits(json, each.digits);
  return json;
}

/** A copy with other values at some places. */
function mapAt(
  json: unknown,
  places: ReadonlyMap<string, string>,
  change: (digits: string) => unknown,
): unknown {
  const copy = (part: unknown, pointer: string): unknown => {
    const digits = places.get(pointer);
    if (digits !== undefined) return change(digits);
    if (typeof part !== 'object' || part === null) return part;
    if (Array.isArray(part)) return part.map((each, index) => copy(each, `${pointer}/${index}`));
    const members = {};
    for (const [key, each] of Object.entries(part))
      setOwn(members, key, copy(each, `${pointer}/${pointerToken(key)}`));
    return members;
  };
  return copy(json, '');
}
