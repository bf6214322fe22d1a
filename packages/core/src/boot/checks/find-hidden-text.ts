import { flagSequence } from '@toolwright/json';

/** A text that contains a character that nobody can see. */
export interface HiddenCharacter {
  /** The place of the text, such as `inputSchema.properties.city.description`. */
  readonly place: string;
  /** The first hidden character, such as `U+200B`. */
  readonly character: string;
}

/**
 * Finds hidden characters in everything that is published of an operation: in all texts at any depth, and in
 * the names of properties. It walks through the value and knows no fields, so it also covers fields that are
 * added in the future.
 *
 * @param published a JSON value, as clients get it
 */
export function findHiddenText(published: unknown): HiddenCharacter[] {
  const found: HiddenCharacter[] = [];
  const path: (string | number)[] = [];
  const look = (text: string) => {
    const character = findHiddenCharacter(text);
    if (character !== undefined) found.push({ place: placeOf(path), character });
  };
  const visitAt = (step: string | number, value: unknown) => {
    path.push(step);
    if (typeof step === 'string') look(step);
    visit(value);
    path.pop();
  };
  const visit = (value: unknown): void => {
    if (typeof value === 'string') return look(value);
    if (typeof value !== 'object' || value === null) return;
    if (hasToJson(value)) return visit(value.toJSON());
    if (Array.isArray(value)) return value.forEach((item, index) => visitAt(index, item));
    for (const name of Object.keys(value)) visitAt(name, (value as Record<string, unknown>)[name]);
  };
  if (!isPlain(published)) visit(published);
  return found;
}

/**
 * True if all texts contain only printable ASCII, line breaks and tabs, as nearly all do. Writing the JSON of a value is
 * much faster than walking through it. JSON escapes other control characters, and all others are themselves in it.
 */
function isPlain(published: unknown): boolean {
  try {
    return !/[^ -~]|\\[bfu]/.test(JSON.stringify(published) ?? '');
  } catch {
    // A bigint in `meta`, for example. The walk leaves it out.
    return false;
  }
}

function placeOf(path: readonly (string | number)[]): string {
  const [first, ...others] = path.map((part) =>
    typeof part === 'number' ? `[${part}]` : `.${showHidden(part)}`,
  );
  return `${first?.replace(/^\./, '') ?? 'it'}${others.join('')}`;
}

function hasToJson(value: object): value is { toJSON(): unknown } {
  return typeof (value as { toJSON?: unknown }).toJSON === 'function';
}

/** Scripts in which the zero-width joiner and non-joiner connect or separate letters. */
const joiningScripts = [
  ...['Arabic', 'Syriac', 'Mandaic', 'Mongolian', 'Nko', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati'],
  ...['Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan'],
];
const joinable = `${joiningScripts.map((script) => `\\p{Script=${script}}`).join('')}`;
const emoji = '\\p{Extended_Pictographic}\\p{Emoji_Modifier}';

/**
 * Characters that a model reads but a reviewer does not see: control characters other than line breaks and
 * tabs, zero-width characters, direction changes, tags, private use. Three kinds are allowed where people use
 * them: joiners in emoji and in the scripts above, the selectors that colour an emoji, and the tags of a
 * flag.
 */
const hidden = [
  '[\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5]',
  '[\\u180B-\\u180F\\u200B\\u200E\\u200F\\u2028-\\u202E\\u2060-\\u206F\\u3164\\uFEFF\\uFFA0\\uFFF0-\\uFFFB]',
  '[\\uE000-\\uF8FF\\u{1BCA0}-\\u{1BCA3}\\u{1D173}-\\u{1D17A}\\u{E0000}-\\u{E0FFF}\\u{F0000}-\\u{10FFFF}]',
  `(?<![${joinable}])\\u200C`,
  `(?<![${joinable}]|[${emoji}]\\uFE0F?)\\u200D`,
  '[\\uFE00-\\uFE0D]|(?<!\\p{Emoji})[\\uFE0E\\uFE0F]',
].join('|');

const hiddenOrFlag = new RegExp(`${flagSequence}|(?<hidden>${hidden})`, 'gu');

/** Nearly every text contains only these characters, and this check is faster. */
const plain = /^[\t\n -~]*$/;

/** The first hidden character of a text in the form `U+200B`; undefined if there is none. */
export function findHiddenCharacter(text: string): string | undefined {
  if (plain.test(text)) return undefined;
  for (const { groups } of text.matchAll(hiddenOrFlag)) {
    if (groups?.['hidden']) return `U+${hexOf(groups['hidden'])}`;
  }
  return undefined;
}

/** A text with its hidden characters written out as `\u{200B}`, for messages about it. */
export function showHidden(text: string): string {
  if (plain.test(text)) return text;
  return text.replace(hiddenOrFlag, (match, found: string | undefined) =>
    found === undefined ? match : `\\u{${hexOf(found)}}`,
  );
}

function hexOf(character: string): string {
  return character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
}
