import { lazily, replaceUnshown, writeHidden, writeHiddenInJson } from '@toolwright/json';

/** Loaded when a command first prints JSON: help and tables must not wait for core. */
const core = lazily(
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  () => require('@toolwright/core/transport') as typeof import('@toolwright/core/transport'),
);

/** Nearly all text contains only these characters, and this check is faster. */
const plain = /^[\n -~]*$/;

const TAB = '    ';

/**
 * Text that is safe to show. Everything that would control a screen, be invisible or appear at another place
 * is written out, as `\u{1b}`. Otherwise a server could move the cursor, change the question that it asks, or
 * hide a part of it.
 *
 * @param mark changes what was written out, for example to colour it
 */
export function visible(text: string, mark: (escaped: string) => string = (escaped) => escaped): string {
  if (plain.test(text)) return text;
  return replaceUnshown(text.replaceAll('\t', TAB), (character) => mark(writeHidden(character)));
}

/** The same for a field of one line, which cannot start a new line. */
export function inLine(text: string): string {
  return visible(text).replace(/\r?\n/g, '\\u{a}');
}

/**
 * JSON without invisible characters, and with all digits of its integers. A program reads the exact value from it, and it is
 * also a literal of TypeScript.
 */
export function visibleJson(value: unknown, indent = 2): string {
  return replaceUnshown(core().writeJson(value, indent), writeHiddenInJson);
}
