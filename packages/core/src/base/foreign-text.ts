/** A record holds no more of a text that a stranger chose. */
const MAX_FOREIGN = 200;
const unseen = /[\p{C}\p{Zl}\p{Zp}]/u;

/** Text of a caller as records and logs hold it: short, and with nothing in it that cannot be seen. */
export function foreignText(text: string): string {
  const short = text.length > MAX_FOREIGN ? `${text.slice(0, MAX_FOREIGN)}…` : text;
  if (!unseen.test(short)) return short;
  return short.replace(
    new RegExp(unseen, 'gu'),
    (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`,
  );
}
