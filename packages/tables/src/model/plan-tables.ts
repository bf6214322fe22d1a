import { cutSentences, LONGEST_NAME, NameSet, plainText, plural, singular, wordsOf } from '@toolwright/json';
import type { DatabaseCatalogue, CatalogueReference, CatalogueTable } from '../catalogue/catalogue.js';
import { planColumns } from './plan-columns.js';
import type { PlannedColumn, PlannedTable, TableAction, TablesPlan } from './planned-table.js';
import { planSettings } from './row-settings.js';
import { keyOf, selectTables, type TableSelection } from './select-tables.js';

export interface PlanChoices extends TableSelection {
  /** Is put before the name of each tool. */
  readonly prefix?: string;
  /** What the code calls the database. Default: its own name. */
  readonly title?: string;
  /** The nouns of an earlier import by the key of their table. */
  readonly earlierNouns?: ReadonlyMap<string, string>;
}

const LONGEST_COMMENT = 300;
const VIEWS = ['v', 'm'];
/** The longest word before a noun: `insert_`. */
const ROOM_FOR_VERB = 7;

/**
 * Plans the services of a database.
 *
 * @throws {ImportOptionError} if a choice names nothing
 */
export function planTables(catalogue: DatabaseCatalogue, choices: PlanChoices): TablesPlan {
  const { prefix = '' } = choices;
  const selected = selectTables(catalogue.tables, choices);
  const chosen = selected.tables.filter(({ columns }) => columns.length > 0);
  const nouns = nounsOf(
    chosen,
    choices.earlierNouns ?? new Map(),
    LONGEST_NAME - prefix.length - ROOM_FOR_VERB,
  );
  const notes: string[] = [];
  const names = new NameSet();
  const withKey = new Map(chosen.filter(({ key }) => key).map((table) => [table.id, table]));
  const tables = chosen.flatMap((table): PlannedTable[] => {
    const noun = nouns.get(keyOf(table))!;
    const linkOf = (column: string) =>
      linkText(table, column, { references: catalogue.references, withKey, nouns, prefix });
    const { columns, leftOut } = planColumns(table, catalogue.types, linkOf);
    if (leftOut.length > 0)
      notes.push(`Not read: ${leftOut.map((each) => `${keyOf(table)}.${each}`).join(', ')}.`);
    if (columns.every(({ isSecret }) => isSecret)) return [];
    const isView = VIEWS.includes(table.kind);
    const isWritten = selected.canWrite(table);
    const keyMembers = keyMembersOf(table, columns);
    const actions = actionsFor(keyMembers !== undefined, isWritten && !isView);
    const toolNames = actions.map((action) => [
      action,
      names.take(prefix + toolName(action, noun), LONGEST_NAME),
    ]);
    return [
      {
        key: keyOf(table),
        ...{ schema: table.schema, name: table.name, isView, isWritten, noun, columns, keyMembers },
        label: plainText(table.schema === 'public' ? table.name : keyOf(table)),
        description: cutSentences(plainText(table.comment), LONGEST_COMMENT),
        rowSecurity: table.rowSecurity || (table.reads.length > 0 && !table.passesPolicies && table.reads),
        tools: Object.fromEntries(toolNames) as PlannedTable['tools'],
      },
    ];
  });
  const planned = new Set(tables.map(({ key }) => key));
  const unreadable = selected.tables.map(keyOf).filter((key) => !planned.has(key));
  const { settings, notes: ofPolicies } = planSettings(catalogue, chosen);
  const passing = chosen.filter((each) => each.passesPolicies).map(keyOf);
  return {
    title: choices.title ?? catalogue.database,
    tables,
    total: selected.total,
    skipped: [
      ...selected.skipped,
      ...unreadable.map((table) => ({ table, reason: 'no column can be read' })),
    ],
    settings,
    notes: [
      ...(passing.length > 0
        ? [
            `These views show every caller the rows that their owner sees, whatever the policies say: ${passing.join(', ')}.`,
          ]
        : []),
      ...notes,
      ...ofPolicies,
    ],
  };
}

/** Only `list` needs no key. */
function actionsFor(hasKey: boolean, isWritten: boolean): TableAction[] {
  return [
    'list',
    ...(hasKey ? (['get'] as const) : []),
    ...(isWritten ? (['insert'] as const) : []),
    ...(isWritten && hasKey ? (['update', 'delete'] as const) : []),
  ];
}

/** The key by the names that callers use. A key that callers may not read, or cannot write, names no row for them. */
function keyMembersOf(
  { key }: CatalogueTable,
  columns: readonly PlannedColumn[],
): readonly string[] | undefined {
  const names = columns.filter(
    ({ isSecret, kind, isOwnType }) => !isSecret && !(isOwnType && kind === 'json'),
  );
  const found = key?.map((name) => names.find((each) => each.name === name)?.member);
  return found?.every((member) => member !== undefined) === true ? (found as string[]) : undefined;
}

function toolName(action: TableAction, noun: string): string {
  return `${action}_${action === 'list' ? plural(noun) : noun}`;
}

/** One row of each table in words. Of two tables with one noun, the one outside of `public` has its schema before it. */
function nounsOf(
  tables: readonly CatalogueTable[],
  earlier: ReadonlyMap<string, string>,
  longest: number,
): Map<string, string> {
  const plain = new Map(tables.map((table) => [keyOf(table), nounOf(table.name)]));
  const counts = new Map<string, number>();
  for (const noun of plain.values()) counts.set(noun, (counts.get(noun) ?? 0) + 1);
  const taken = new NameSet(tables.flatMap((table) => earlier.get(keyOf(table)) ?? []));
  return new Map(
    tables.map((table) => {
      const key = keyOf(table);
      const known = earlier.get(key);
      if (known !== undefined) return [key, known];
      const noun = plain.get(key)!;
      const isShared = counts.get(noun)! > 1 && table.schema !== 'public';
      const wanted = isShared ? [...wordsOf(table.schema), noun].join('_') : noun;
      return [key, taken.take(wanted, longest)];
    }),
  );
}

function nounOf(name: string): string {
  const words = wordsOf(name);
  const last = words.pop();
  if (last === undefined) return 'row';
  const noun = [...words, singular(last)].join('_');
  return /^\d/.test(noun) ? `table_${noun}` : noun;
}

interface Links {
  readonly references: readonly CatalogueReference[];
  readonly withKey: ReadonlyMap<string, CatalogueTable>;
  readonly nouns: ReadonlyMap<string, string>;
  readonly prefix: string;
}

/** Which tool reads the row that a column refers to, if one does: a reference to other columns than the key leads to none. */
function linkText(
  table: CatalogueTable,
  column: string,
  { references, withKey, nouns, prefix }: Links,
): string | undefined {
  const found = references.find((each) => {
    const target = withKey.get(each.target);
    const isToKey = target?.key?.every((name) => each.targetColumns.includes(name)) === true;
    return each.table === table.id && each.columns.includes(column) && isToKey;
  });
  if (!found) return undefined;
  const noun = nouns.get(keyOf(withKey.get(found.target)!))!;
  const others = found.columns.filter((each) => each !== column);
  const beside = others.length > 0 ? `, with ${others.map((each) => plainText(each)).join(', ')}` : '';
  return `See ${prefix}get_${noun}${beside}`;
}
