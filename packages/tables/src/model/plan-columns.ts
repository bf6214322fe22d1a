import {
  cleanText,
  cutSentences,
  LONGEST_NAME,
  NameSet,
  plainText,
  singular,
  unmarkedSecrets,
  wordsOf,
} from '@toolwright/json';
import type { CatalogueColumn, CatalogueTable, CatalogueType } from '../catalogue/catalogue.js';
import type { ValueKind } from '../run/database-table.js';
import { kindOf } from './column-kinds.js';
import type { PlannedColumn } from './planned-table.js';

/** Kinds of values that a secret may be in. */
const HOLDS_TEXT: readonly ValueKind[] = ['text', 'bytes', 'json'];
const LONGEST_COMMENT = 160;
/** A model does not read a longer list of values. */
const MOST_VALUES = 80;

export interface PlannedColumns {
  readonly columns: readonly PlannedColumn[];
  /** Columns that are not read, with the reason. */
  readonly leftOut: readonly string[];
}

/** @param linkOf says which tool reads the row that a column refers to */
export function planColumns(
  table: CatalogueTable,
  types: ReadonlyMap<string, CatalogueType>,
  linkOf: (column: string) => string | undefined,
): PlannedColumns {
  const members = memberNames(table.columns);
  const leftOut: string[] = [];
  const columns: PlannedColumn[] = [];
  for (const column of table.columns) {
    const found = kindOf(column, types);
    if (found.unreadable !== undefined) {
      leftOut.push(`${column.name} (${found.unreadable})`);
      continue;
    }
    const { kind, isList, isOwnType, form, isWritable, neverNull } = found;
    const isSecret = !found.values && HOLDS_TEXT.includes(kind) && namesSecret(column.name);
    if (isSecret) leftOut.push(`${column.name} (its name is that of a secret)`);
    const isGenerated = column.generated !== '' || column.identity === 'a';
    const isCounted = column.identity === 'd' || /^nextval\(/.test(column.default ?? '');
    const isInKey = table.key?.includes(column.name) ?? false;
    columns.push({
      member: members.get(column.name)!,
      name: column.name,
      type: column.type,
      ...{ kind, isList, isOwnType, form, isSecret, isInKey },
      values: choices(found.values),
      isNullable: !column.notNull && !neverNull,
      hasDefault: column.default !== null,
      write: {
        isInNew: isWritable && !isGenerated && !isCounted,
        isInChange: isWritable && !isGenerated && !isInKey,
      },
      length: column.length ?? undefined,
      description: describe(column, linkOf(column.name)),
    });
  }
  return { columns, leftOut };
}

function describe({ comment }: CatalogueColumn, link: string | undefined): string {
  const words = cutSentences(plainText(comment), LONGEST_COMMENT);
  if (link === undefined) return words;
  return words === '' ? link : `${/[.!?…]$/.test(words) ? words : `${words}.`} ${link}`;
}

/** Values of an enum that a schema can name. */
function choices(labels: readonly string[] | undefined): readonly string[] | undefined {
  const isUsable =
    labels &&
    labels.length > 0 &&
    labels.length <= MOST_VALUES &&
    labels.every((each) => cleanText(each, 'escape') === each);
  return isUsable ? labels : undefined;
}

/** What `hasOwn` and an object of columns would take for something else. */
const NO_MEMBERS = ['__proto__'];

/**
 * The names of columns as members and as arguments. A host refuses arguments with other letters, or with more than 64. Names
 * that already fit stay; the others get their words.
 */
function memberNames(columns: readonly CatalogueColumn[]): ReadonlyMap<string, string> {
  const fits = (name: string) => /^[A-Za-z_]\w*$/.test(name) && name.length <= LONGEST_NAME;
  const usual = columns.filter(({ name }) => fits(name) && !NO_MEMBERS.includes(name));
  const taken = new NameSet();
  const members = new Map(usual.map(({ name }) => [name, taken.take(name, LONGEST_NAME)]));
  columns.forEach(({ name }, index) => {
    if (members.has(name)) return;
    const words = wordsOf(name).join('_');
    const wanted = words === '' ? `column_${index + 1}` : /^\d/.test(words) ? `column_${words}` : words;
    members.set(name, taken.take(wanted, LONGEST_NAME));
  });
  return members;
}

/** A column with a password, or with what is made of one, is for programs alone. */
function namesSecret(name: string): boolean {
  const words = wordsOf(name);
  // `refresh_tokens` is a list of them.
  const single = [...words.slice(0, -1), singular(words.at(-1) ?? '')].join('_');
  const properties = { [name]: { type: 'string' }, [single]: { type: 'string' } };
  const isNamed = unmarkedSecrets({ type: 'object', properties }).length > 0;
  // `passwordhash` and `password_salt` say as much as a password.
  return isNamed || /passw(?:or)?d/.test(words.join(''));
}
