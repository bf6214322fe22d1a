/** The longest text from outside that a record contains. */
const MAX_FOREIGN = 200;
const unseen = /[\p{C}\p{Zl}\p{Zp}]/u;

/** Nearly every text contains only these. V8 takes nearly a millisecond to compile the expression above. */
const plain = /^[ -~]*$/;

/** Text of a caller in the form for records and logs: short, and without invisible characters. */
export function foreignText(text: string): string {
  const short = text.length > MAX_FOREIGN ? `${text.slice(0, MAX_FOREIGN)}…` : text;
  if (plain.test(short) || !unseen.test(short)) return short;
  return short.replace(
    new RegExp(unseen, 'gu'),
    (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`,
  );
}
