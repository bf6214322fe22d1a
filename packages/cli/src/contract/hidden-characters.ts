import type { ContractChange } from './change.js';

/** Text that models read and reviewers cannot see is an attack, not a matter of style. */
export function newlyHidden(before: object | undefined, after: object): ContractChange[] {
  const known = hiddenCharacters(JSON.stringify(before ?? {}));
  const found = hiddenCharacters(JSON.stringify(after)).filter((character) => !known.includes(character));
  if (found.length === 0) return [];
  const message = `hides characters that models read and nobody sees: ${found.join(', ')}`;
  return [{ impact: 'breaking', path: '', message }];
}

/**
 * Characters that a model reads but a person does not see, or sees at another place: control characters,
 * zero-width characters, direction changes, tag characters, private use. The joiner inside an emoji does not
 * count.
 */
const hidden =
  // eslint-disable-next-line no-control-regex, no-misleading-character-class -- naming them is the point
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\ue000-\uf8ff]|[\u{e0000}-\u{e0fff}]|[\u{f0000}-\u{10ffff}]|(?<!\p{Extended_Pictographic}\ufe0f?)\u200d/gu;

/** The hidden characters of a text, each once, in the form `U+200B`. */
function hiddenCharacters(text: string): string[] {
  return [...new Set(text.match(hidden))].map((character) => `U+${hex(character).padStart(4, '0')}`);
}

/** The text without hidden characters. */
export const withoutHidden = (text: string) => text.replace(hidden, '');

const hex = (character: string) => character.codePointAt(0)!.toString(16).toUpperCase();
