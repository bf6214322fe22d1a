/** Colours of our own, which may stay. */
const colour = /(\u001b\[[\d;]*m)/; // eslint-disable-line no-control-regex

/** Controls except tab and line ends, a carriage return alone, and what turns the direction of text. */
// eslint-disable-next-line no-control-regex
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\r(?!\n)/g;

/**
 * Text as a screen may get it. What a server says could otherwise move the cursor, rewrite the question that it is
 * asking, or fill the clipboard.
 */
export function withoutControls(text: string): string {
  return text
    .split(colour)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(control, escaped)))
    .join('');
}

function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)!.toString(16)}}`;
}
