import { isBeyondSafe, LongInteger } from './read-json.js';

/** A number that is not what its sender wrote, or may not be. */
export interface InexactNumber {
  /** The names and indexes that lead to it. */
  readonly path: readonly string[];
  readonly value: LongInteger | number;
  /** Why it is not taken, and what to do: a sentence. */
  readonly why: string;
}

const AS_TEXT = 'Send it as a string.';
const AS_NUMBER = `This place takes no string. Send a number from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}.`;
const LOSES_DIGITS = `a number does not hold all digits of this integer, so another one would be read. ${AS_TEXT}`;
const TOO_LARGE = `no number is as large as this one. ${AS_TEXT}`;
const LOST_BEFORE = `the application has parsed the body, and integers beyond ±(2^53 - 1) may have lost digits there. ${AS_TEXT}`;

/**
 * The numbers of a value that is not what its sender wrote.
 *
 * @param isReadElsewhere whether other code than `readJson` has read the value: each long integer may then have lost
 *   digits
 */
export function inexactNumbers(value: unknown, isReadElsewhere: boolean): InexactNumber[] {
  const found: InexactNumber[] = [];
  const path: string[] = [];
  const visit = (part: unknown): void => {
    const why = findReason(part, isReadElsewhere);
    if (why) found.push({ path: [...path], value: part as LongInteger | number, why });
    else if (typeof part === 'object' && part !== null)
      for (const [key, each] of Object.entries(part) as [string, unknown][]) {
        path.push(key);
        visit(each);
        path.pop();
      }
  };
  visit(value);
  return found;
}

/** Whether a value that `readJson` has read is what its sender wrote. */
export function isExact(value: unknown): boolean {
  return inexactNumbers(value, false).length === 0;
}

/** The same where no string can be sent in its place. */
export function withoutText(number: InexactNumber): InexactNumber {
  return { ...number, why: number.why.replace(AS_TEXT, AS_NUMBER) };
}

function findReason(value: unknown, isReadElsewhere: boolean): string | undefined {
  if (value instanceof LongInteger) return LOSES_DIGITS;
  if (typeof value !== 'number' || !isBeyondSafe(value)) return undefined;
  if (!Number.isFinite(value)) return TOO_LARGE;
  return isReadElsewhere && Number.isInteger(value) ? LOST_BEFORE : undefined;
}
