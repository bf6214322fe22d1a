import { endOfString, exactNumberText, readJson } from '@toolwright/json';
import { readMessage } from '@toolwright/core/transport';

/**
 * JSON of a person. Each integer that a double would change is a `LongInteger`, also if it has a fraction of zeros or an
 * exponent. A number that is too large for a double is infinite.
 *
 * @throws {SyntaxError} for text that is not JSON
 */
export function readExact(text: string): unknown {
  return readJson(withPlainIntegers(text, (literal) => literal));
}

/**
 * A message of a server. Its values have all digits of their integers.
 *
 * @throws {SyntaxError} for text that is not JSON
 */
export function readExactMessage(text: string): unknown {
  return readMessage(
    withPlainIntegers(text, (literal) => digitsOf(literal) ?? `"${literal}"`),
    'numbers',
  );
}

/** Without one of them, a double holds every number of a text. */
const DOUBTFUL = /\d{16}|\d[eE][-+]?\d/;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;

/** @param beyond what is written for a number that is too large for a double */
function withPlainIntegers(text: string, beyond: (literal: string) => string): string {
  if (!DOUBTFUL.test(text)) return text;
  // The end of a string is only looked for in a text that is JSON.
  JSON.parse(text);
  const plain = (literal: string) => {
    if (!/[.eE]/.test(literal)) return literal;
    const value = Number(literal);
    if (!Number.isFinite(value)) return beyond(literal);
    const digits = digitsOf(literal);
    return digits === undefined || digits === digitsOf(exactNumberText(value)) ? literal : digits;
  };
  const pieces: string[] = [];
  for (let from = 0; from < text.length;) {
    const quote = text.indexOf('"', from);
    const next = quote === -1 ? text.length : endOfString(text, quote);
    pieces.push(
      text.slice(from, quote === -1 ? next : quote).replace(NUMBER, plain),
      quote === -1 ? '' : text.slice(quote, next),
    );
    from = next;
  }
  return pieces.join('');
}

/** A few letters may mean a billion digits. */
const MOST_DIGITS = 1_000;

/** The digits of a number, if it is an integer and not absurdly long. */
function digitsOf(literal: string): string | undefined {
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(literal) ?? [];
  const all = whole + fraction;
  let first = 0;
  while (all[first] === '0') first++;
  let end = all.length;
  while (end > first && all[end - 1] === '0') end--;
  const zeros = Number(power) - fraction.length + all.length - end;
  if (end === first || zeros < 0 || end - first + zeros > MOST_DIGITS) return undefined;
  return `${sign}${all.slice(first, end)}${'0'.repeat(zeros)}`;
}
