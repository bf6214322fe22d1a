import { ImportOptionError } from '@toolwright/json';
import type { CatalogueTable } from '../catalogue/catalogue.js';

const PASSES =
  'views that read tables with policies by the rights of their owner; give them security_invoker, or name each with --include';

/** Which tables become services. An update keeps the choices that it does not replace. */
export interface TableSelection {
  readonly schemas?: readonly string[];
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** The tables whose rows callers may change. */
  readonly write?: readonly string[];
}

export interface SelectedTables {
  readonly tables: readonly CatalogueTable[];
  readonly total: number;
  readonly skipped: readonly { readonly table: string; readonly reason: string }[];
  canWrite(table: CatalogueTable): boolean;
}

export const keyOf = ({ schema, name }: CatalogueTable) => `${schema}.${name}`;

/**
 * The tables that a person chose.
 *
 * @throws {ImportOptionError} if a schema or a pattern names nothing: a mistyped name would leave a table out silently
 */
export function selectTables(
  all: readonly CatalogueTable[],
  { schemas = ['public'], include, exclude = [], write = [] }: TableSelection,
): SelectedTables {
  const there = [...new Set(all.map(({ schema }) => schema))];
  const missing = schemas.find((each) => !there.includes(each));
  if (missing !== undefined)
    throw new ImportOptionError(
      `The schema ${missing} has no table that can be read. Schemas with tables: ${there.join(', ') || 'none'}. Choose with --schema.`,
    );
  const mine = all.filter(({ schema }) => schemas.includes(schema));
  for (const [flag, patterns] of Object.entries({ include: include ?? [], exclude, write }))
    for (const pattern of patterns)
      if (!mine.some((table) => matches(table, [pattern])))
        throw new ImportOptionError(`--${flag} ${pattern} names no table of ${schemas.join(', ')}.`);
  const named = include?.filter((each) => !each.includes('*')) ?? [];
  const passes = (table: CatalogueTable) => table.passesPolicies && !matches(table, named);
  const isChosen = (table: CatalogueTable) =>
    (include === undefined || matches(table, include)) && !matches(table, exclude) && !passes(table);
  return {
    tables: mine.filter(isChosen),
    total: mine.length,
    skipped: mine
      .filter((table) => !isChosen(table))
      .map((table) => ({
        table: keyOf(table),
        reason: matches(table, exclude) ? 'excluded' : passes(table) ? PASSES : 'not included',
      })),
    canWrite: (table) => matches(table, write),
  };
}

/** A pattern is a table, or a schema and a table; `*` is any text. */
function matches(table: CatalogueTable, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => fits(table.name, pattern) || fits(keyOf(table), pattern));
}

/** The parts between the stars, one after the other. A regular expression would take long for many stars. */
function fits(text: string, pattern: string): boolean {
  const [first = '', ...parts] = pattern.split('*');
  if (parts.length === 0) return text === pattern;
  const last = parts.pop()!;
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length)
    return false;
  let at = first.length;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
}
