import { type JsonSchema, unpublishedIn } from '@toolwright/json';
import type { InspectedEntry } from '@toolwright/schema-compiler';
import { type TableShape, type Terminal, inLine, styleFor, wrapWords } from '@toolwright/operate/terminal';

/** A requirement that a call is checked for, and that a model does not see in the list. */
export interface EnforcedOnly {
  /** The JSON pointer in the input, if a pattern is left out. */
  path?: string;
  /** The pattern, or the check in words. */
  enforced: string;
  /** What the list has in its place. */
  published?: string;
}

/** What the list leaves out of an input, and the checks that the compiler could not publish. */
export function unpublishedParts(
  input: JsonSchema,
  diagnostics: InspectedEntry['diagnostics'] = [],
): { unpublished?: readonly EnforcedOnly[] } {
  const patterns = unpublishedIn(input).map(({ path, pattern, instead }) => ({
    path,
    enforced: pattern,
    published: instead,
  }));
  const checks = diagnostics
    .filter(({ code }) => code === 'TW_SCHEMA_UNPUBLISHED')
    .map(({ message }) => ({ enforced: message }));
  const unpublished = [...patterns, ...checks];
  return unpublished.length > 0 ? { unpublished } : {};
}

/** The same, for people. */
export function formatUnpublished(
  unpublished: readonly EnforcedOnly[] | undefined,
  terminal: Pick<Terminal, 'colours'> & TableShape,
): string[] {
  if (!unpublished) return [];
  const { columns = Infinity } = terminal;
  const rows = unpublished.flatMap(({ path, enforced, published }) => [
    published === undefined ? inLine(enforced) : `${dotted(path ?? '')}: the list says ${inLine(published)}`,
    ...(published === undefined ? [] : [`    ${inLine(enforced)}`]),
  ]);
  return [
    '',
    styleFor(terminal).bold('Checked, and not in the list'),
    ...rows.flatMap((row) => wrapWords(row, columns - 4).map((line) => `    ${line}`)),
  ];
}

/** `/properties/sites/items` as `sites[]`. */
export function dotted(path: string): string {
  return path.replaceAll('/properties/', '.').replaceAll('/items', '[]').replace(/^\./, '') || '(all)';
}
