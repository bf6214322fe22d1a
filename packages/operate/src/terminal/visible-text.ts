import { lazily, replaceUnshown, visible, writeHiddenInJson } from '@toolwright/json';

export { visible };

/** Loaded when a command first prints JSON: help and tables must not wait for core. */
const core = lazily(
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  () => require('@toolwright/core/transport') as typeof import('@toolwright/core/transport'),
);

/** Text that is safe to show in a field of one line, which cannot start a new line. */
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
