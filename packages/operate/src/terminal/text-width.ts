/** Text of these characters takes a column for each, and this check is faster. */
const plain = /^[ -~]*$/;

/** What takes two columns: East Asian Width W and F (Unicode Standard Annex 11), in ranges that hold unassigned code points, too. */
const wide =
  /^[\u1100-\u115f\u231a\u231b\u2329\u232a\u2e80-\u303e\u3041-\u3247\u3250-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18d08}\u{1aff0}-\u{1b2ff}\u{1d300}-\u{1d376}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]/u;

/** A picture takes two columns, and so does a character that asks to be shown as one. */
const picture = /^\p{Emoji_Presentation}|^\p{Regional_Indicator}{2}|\ufe0f/u;

/** What is drawn over the character before it: marks, and the second and third letter of a Korean syllable. */
const over = /[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff\ud7b0-\ud7fb]/u;

const segmenter = new Intl.Segmenter('en');

/** How many columns of a screen a text takes. Terminals differ about few characters; this is what most of them do. */
export function widthOfText(text: string): number {
  if (plain.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += widthOfSegment(segment);
  return width;
}

function widthOfSegment(segment: string): number {
  if (picture.test(segment)) return 2;
  let width = 0;
  for (const character of segment) width += over.test(character) ? 0 : wide.test(character) ? 2 : 1;
  return width;
}
