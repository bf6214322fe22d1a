import { hiddenCharacters, showHidden } from './hidden-characters.js';

/** A text that contains a character that nobody can see. */
export interface HiddenCharacter {
  /** The place of the text, such as `inputSchema.properties.city.description`. */
  readonly place: string;
  /** The first hidden character, such as `U+200B`. */
  readonly character: string;
}

/**
 * Finds hidden characters in everything that is published: in all texts at any depth, and in the names of properties.
 * It walks through the value and knows no fields, so it also covers fields that are added in the future.
 *
 * @param published a JSON value, as clients get it
 */
export function findHiddenText(published: unknown): HiddenCharacter[] {
  const found: HiddenCharacter[] = [];
  const path: (string | number)[] = [];
  const look = (text: string) => {
    const [character] = hiddenCharacters(text);
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

/** Whether the value says itself what it is as JSON. */
export function hasToJson(value: object): value is { toJSON(): unknown } {
  return typeof (value as { toJSON?: unknown }).toJSON === 'function';
}
