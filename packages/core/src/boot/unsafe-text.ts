/**
 * Characters that a person reviewing a name or description does not see but a model reads: controls other than line
 * breaks and tabs, zero-width characters, bidirectional overrides, the tag block, private use. Variation selectors and
 * the joiner between emoji stay allowed where they follow a visible character.
 */
const hidden =
  // eslint-disable-next-line no-control-regex, no-misleading-character-class -- naming them is the point
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180E\u200B\u200C\u200E\u200F\u202A-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF0-\uFFFB\uE000-\uF8FF]|[\u{1D173}-\u{1D17A}]|[\u{E0000}-\u{E0FFF}]|[\u{F0000}-\u{10FFFF}]|(?<!\p{Extended_Pictographic}\uFE0F?)\u200D/u;

/** Nearly every text is of these alone, which is sooner seen. */
const plain = /^[\t\n -~]*$/;

/** The first hidden character of a text as `U+200B`, or undefined when there is none. */
export function findHiddenCharacter(text: string): string | undefined {
  if (plain.test(text)) return undefined;
  const found = hidden.exec(text)?.[0].codePointAt(0);
  return found === undefined ? undefined : `U+${found.toString(16).toUpperCase().padStart(4, '0')}`;
}
