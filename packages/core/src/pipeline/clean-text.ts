/**
 * Characters that a person does not see and a model reads, or that move a terminal's cursor: controls except tab and
 * line ends, bidirectional overrides, zero-width and invisible characters, tags, fillers. Joiners stay where they join:
 * after another character beyond ASCII, as in emoji and in Persian.
 */
const hidden =
  // eslint-disable-next-line no-control-regex, no-misleading-character-class -- these are the point
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|(?<![^\u0000-\u007f\u200c\u200d])[\u200c\u200d]/gu;

/** Most text has nothing else, and this is ten times as fast to find out. */
const plain = /^[\t\n\r\u0020-\u007e]*$/;

/** True when `text` has characters that `cleanText` would touch. */
export function hasHidden(text: string): boolean {
  if (plain.test(text)) return false;
  hidden.lastIndex = 0;
  return hidden.test(text);
}

/** Writes hidden characters as `\u{…}`, or leaves them out. */
export function cleanText(text: string, how: 'escape' | 'drop'): string {
  return text.replace(hidden, (character) =>
    how === 'drop' ? '' : `\\u{${character.codePointAt(0)!.toString(16)}}`,
  );
}

/** Every string inside of a JSON value cleaned, names of members too; the value itself where none has to be. */
export function cleanValue(value: unknown, clean: (text: string) => string): unknown {
  return holdsHidden(value) ? cleanCopy(value, clean) : value;
}

function holdsHidden(value: unknown): boolean {
  if (typeof value === 'string') return hasHidden(value);
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(holdsHidden);
  for (const key in value) {
    if (hasHidden(key) || holdsHidden((value as Record<string, unknown>)[key])) return true;
  }
  return false;
}

function cleanCopy(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => cleanCopy(item, clean));
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [clean(key), cleanCopy(part, clean)]));
}
