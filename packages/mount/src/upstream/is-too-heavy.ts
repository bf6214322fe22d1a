import { countDoubtful, ObjectForms } from '@toolwright/json';
import { BUDGET } from '../budget.js';

const { weights } = BUDGET;
const [QUOTE, BACKSLASH, COMMA, COLON, ZERO, NINE] = [34, 92, 44, 58, 48, 57];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [91, 93, 123, 125];

/**
 * Whether a text would take too long to read: not its bytes take time, but its parts do. Ten megabytes of a picture are read at
 * once, and ten megabytes of empty objects hold the event loop for a second. The text is not parsed, and need not be JSON.
 *
 * @param most how much it may weigh; each value weighs one
 */
export function isTooHeavy(text: string, most: number): boolean {
  // No part weighs more for each of its characters.
  if (text.length * weights.hidden <= most) return false;
  const values = weightOfValues(text, most);
  if (values > most) return true;
  const left = Math.ceil((most - values) / weights.hidden) + 1;
  return values + countDoubtful(text, left) * weights.hidden > most;
}

/** Values, forms of objects, and quotes inside of texts. It stops at `most`. */
function weightOfValues(text: string, most: number): number {
  let weight = 0;
  let digits = 0;
  let depth = 0;
  let name = 0;
  const forms = new ObjectForms(text);
  for (let at = 0; at < text.length && weight + forms.count <= most; at++) {
    const code = text.charCodeAt(at);
    if (code >= ZERO && code <= NINE) {
      if (++digits === LONG) weight += weights.longInteger;
      continue;
    }
    digits = 0;
    if (code === COMMA) weight++;
    else if (code === LIST || code === OBJECT) {
      weight++;
      forms.open(++depth);
    } else if (code === LIST_END || code === OBJECT_END) depth--;
    else if (code === COLON) forms.add(depth, name, at);
    else if (code === QUOTE) {
      name = at;
      for (at = text.indexOf('"', at + 1); at > 0 && isEscaped(text, at); at = text.indexOf('"', at + 1))
        if ((weight += weights.quote) > most) return weight;
      if (at < 0) break;
    }
  }
  return weight + forms.count;
}

/** The digits from which on an integer may be longer than a double holds. */
const LONG = 16;

/** Whether a quote has an odd number of backslashes before it. */
function isEscaped(text: string, quote: number): boolean {
  let before = quote;
  while (text.charCodeAt(before - 1) === BACKSLASH) before--;
  return (quote - before) % 2 === 1;
}
