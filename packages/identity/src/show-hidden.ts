/** What turns the direction of the text around it, what moves a cursor, and what nobody sees. Joiners stay: names need them. */
const HIDDEN = /[\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cc}\u200b\u2060\ufeff\u{e0000}-\u{e007f}]/gu;

/** Text of others in which nothing hides. @param kept characters that stay as they are */
export const showHidden = (text: string, kept = ''): string =>
  text.replace(HIDDEN, (character) =>
    kept.includes(character) ? character : `\\u{${character.codePointAt(0)!.toString(16)}}`,
  );
