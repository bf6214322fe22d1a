import { type JsonSchema, tokensOf } from '@toolwright/json';
import {
  isComparable,
  type PlannedColumn,
  type PlannedTable,
  type TableAction,
} from '../model/planned-table.js';
import { columnForm, type ColumnUse } from './column-form.js';
import { annotationsOf, describeAction } from './table-actions.js';

/** What callers of a tool depend on, in the form of the lock. */
export interface TableContract {
  readonly name: string;
  readonly description: string;
  readonly annotations: Readonly<Record<string, boolean>>;
  readonly scopes: readonly string[];
  readonly deprecated: boolean;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
}

/** The contracts of the tools of a table. */
export function contractsOf(table: PlannedTable): TableContract[] {
  return (Object.entries(table.tools) as [TableAction, string][]).map(([action, name]) => {
    const outputSchema = outputOf(action, table);
    return {
      name,
      description: describeAction(action, table),
      annotations: annotationsOf(action),
      scopes: [],
      deprecated: false,
      inputSchema: inputOf(action, table),
      ...(outputSchema && { outputSchema }),
    };
  });
}

/** About how many tokens a tool takes in a list: four bytes are one. */
export const tokensOfContract = ({
  name,
  description,
  annotations,
  inputSchema,
  outputSchema,
}: TableContract) => tokensOf({ name, description, annotations, inputSchema, outputSchema });

function inputOf(action: TableAction, { columns, keyMembers = [] }: PlannedTable): JsonSchema {
  const keys = columns.filter(({ member }) => keyMembers.includes(member));
  if (action === 'list') return listInput(columns.filter(isComparable).map(({ member }) => member));
  if (action === 'insert')
    return objectOf(
      columns.filter(({ write }) => write.isInNew),
      'write',
      (each) => !each.isNullable && !each.hasDefault,
    );
  const key = objectOf(keys, 'key', () => true);
  if (action !== 'update') return key;
  const changed = objectOf(
    columns.filter(({ write }) => write.isInChange),
    'write',
    () => false,
  );
  return { ...key, properties: { ...key.properties, ...changed.properties } };
}

function outputOf(action: TableAction, { columns }: PlannedTable): JsonSchema | undefined {
  if (action === 'delete') return undefined;
  const row = objectOf(
    columns.filter(({ isSecret }) => !isSecret),
    'read',
    ({ kind, isList }) => kind !== 'bytes' || isList,
  );
  if (action !== 'list') return row;
  return {
    type: 'object',
    properties: {
      rows: { type: 'array', items: row },
      next: { type: 'string' },
      cut: { type: 'array', items: { type: 'string' } },
    },
    required: ['rows'],
  };
}

function objectOf(
  columns: readonly PlannedColumn[],
  use: ColumnUse,
  isRequired: (column: PlannedColumn) => boolean,
): JsonSchema {
  const required = columns.filter(isRequired).map(({ member }) => member);
  return {
    type: 'object',
    properties: Object.fromEntries(
      columns.map((each) => [
        each.member,
        {
          ...columnForm(each, use).schema,
          ...(each.description !== '' && { description: each.description }),
        },
      ]),
    ),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** The schema of `ListRows`, as far as a change of the table changes it. */
function listInput(members: readonly string[]): JsonSchema {
  const column = { enum: [...members] };
  return {
    type: 'object',
    properties: {
      where: { type: 'array', items: { type: 'object', properties: { column } } },
      orderBy: column,
      descending: { type: 'boolean' },
      limit: { type: 'integer' },
      cursor: { type: 'string' },
    },
    additionalProperties: false,
  };
}
