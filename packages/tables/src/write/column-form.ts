import { comment, type JsonSchema, literalText, safeText, WRITTEN_WIDTH } from '@toolwright/json';
import type { PlannedColumn } from '../model/planned-table.js';

/** What a value is for: it is read, it names a row, or it is written. */
export type ColumnUse = 'read' | 'key' | 'write';

/** The type of a column in TypeScript, its tags, and its schema in the lock. */
export interface ColumnForm {
  readonly type: string;
  readonly tags: readonly string[];
  readonly schema: JsonSchema;
  /** Types that the file has to import. */
  readonly imports: readonly ('integer' | 'Json')[];
}

interface Value {
  readonly type: string;
  readonly schema: JsonSchema;
  readonly imports?: ColumnForm['imports'];
}

/**
 * Formats that Postgres accepts and a schema can check. Results have no format: a date may be `infinity`, or before the first year.
 */
const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'uuid',
  date: 'date',
  'timestamp with time zone': 'date-time',
};

/** Numbers that a double does not hold. A result has all digits as a text. */
const EXACT: Readonly<Record<string, Value>> = {
  bigint: { type: 'bigint', schema: { type: ['integer', 'string'] } },
  numeric: { type: 'string | number', schema: { type: ['string', 'number'] } },
};

export function columnForm(column: PlannedColumn, use: ColumnUse): ColumnForm {
  const { isList, isNullable, isSecret, length } = column;
  const value = valueOf(column, use);
  const item: Value = isList
    ? { type: `${inList(value.type)}[]`, schema: { type: 'array', items: orNull(value.schema) } }
    : value;
  // JSON has neither infinity nor NaN. The type of a list in PostgreSQL allows lists of lists, too.
  const isRead = use === 'read' && (isList || column.kind === 'number');
  const canBeNull = (isNullable && use !== 'key') || isRead;
  const format = isList || use === 'read' || column.values ? undefined : FORMATS[column.form];
  const bounds = {
    ...(format !== undefined && { format }),
    ...(length !== undefined && use !== 'read' && !isList && { maxLength: length }),
  };
  return {
    type: canBeNull ? `${item.type} | null` : item.type,
    schema: { ...(canBeNull ? orNull(item.schema) : item.schema), ...bounds },
    tags: [
      ...Object.entries(bounds).map(([name, bound]) => `@${name} ${bound}`),
      ...(isSecret ? ['@sensitive'] : []),
    ],
    imports: value.imports ?? [],
  };
}

function valueOf({ kind, values, form, isList }: PlannedColumn, use: ColumnUse): Value {
  if (values)
    return { type: values.map(literalText).join(' | '), schema: { type: 'string', enum: [...values] } };
  if (kind === 'integer') return { type: 'integer', schema: { type: 'integer' }, imports: ['integer'] };
  if (kind === 'number' || kind === 'boolean') return { type: kind, schema: { type: kind } };
  if (kind === 'json') return { type: 'Json', schema: {}, imports: ['Json'] };
  // In a list, the text of bytes is that of Postgres.
  if (kind === 'bytes' && !isList)
    return { type: 'Uint8Array', schema: { type: 'string', contentEncoding: 'base64' } };
  const exact = use === 'read' || isList ? undefined : EXACT[form];
  return exact ?? { type: 'string', schema: { type: 'string' } };
}

/** Postgres allows null as an item of each list. */
const inList = (type: string) => (type === 'Json' ? type : `(${type} | null)`);

function orNull(schema: JsonSchema): JsonSchema {
  if (schema.enum) return { enum: [...schema.enum, null] };
  return schema.type === undefined ? schema : { ...schema, type: [schema.type, 'null'].flat() };
}

/** A member of an interface, with its comment. */
export function memberText(
  { member, description }: PlannedColumn,
  { type, tags }: ColumnForm,
  isRequired: boolean,
): string {
  const lines = [...(description === '' ? [] : [safeText(description)]), ...tags];
  const head = `  ${member}${isRequired ? '' : '?'}:`;
  return `${comment(lines, '  ')}${head}${unionText(type, '  ', head.length)};\n`;
}

/** A union that is too long for its line has a line for each member. */
export function unionText(type: string, indent: string, before: number): string {
  if (before + type.length + 2 <= WRITTEN_WIDTH || !type.includes(' | ') || type.includes('[]'))
    return ` ${type}`;
  return `\n${membersOf(type)
    .map((each) => `${indent}  | ${each}`)
    .join('\n')}`;
}

/** The members of a union. A text in it may have a bar, too. */
const membersOf = (type: string) => type.match(/(?:'(?:[^'\\]|\\.)*'|[^'|])+/g)!.map((each) => each.trim());
