import { MaxOutput, Timeout, ToolError } from '@toolwright/core';
import type { ToolDefinition } from '@toolwright/core/operate';
import { buildQuery, DEFAULT_LIMIT, operatorNames, type TableQuery } from './build-query.js';
import type { Database } from './database.js';
import type { Table } from './table.js';

const MOST_ROWS = 100;

/** The tool that queries one table: what can be asked is written out of the table's own columns. */
export function tableTool(name: string, table: Table, database: Database): ToolDefinition {
  const columns = table.columns.map((column) => `${column.name} (${column.type})`).join(', ');
  return {
    name,
    description:
      `Read rows of the table "${table.name}". Returns the rows, and whether there are more than the limit. ` +
      `Columns: ${columns}.`,
    annotations: { readOnlyHint: true, openWorldHint: false },
    inputSchema: inputSchema(table),
    outputSchema: {
      type: 'object',
      properties: { rows: { type: 'array', items: { type: 'object' } }, more: { type: 'boolean' } },
      required: ['rows', 'more'],
    },
    policies: [Timeout.entry('10s'), MaxOutput.entry({ bytes: 200_000 })],
    handler: async (args) => {
      const query = args as TableQuery;
      const { sql, parameters } = buildQuery(table, query);
      const rows = await database.read(sql, parameters).catch(explain);
      const limit = query.limit ?? DEFAULT_LIMIT;
      return { rows: rows.slice(0, limit), more: rows.length > limit };
    },
  };
}

function inputSchema(table: Table): ToolDefinition['inputSchema'] {
  const column = { type: 'string', enum: table.columns.map(({ name }) => name) };
  const condition = {
    type: 'object',
    properties: {
      column,
      operator: { type: 'string', enum: operatorNames },
      value: {
        type: ['string', 'number', 'boolean'],
        description: 'as the column has it; numbers of bigint and numeric columns and dates as text',
      },
    },
    required: ['column', 'operator', 'value'],
    additionalProperties: false,
  };
  return {
    type: 'object',
    properties: {
      columns: {
        type: 'array',
        items: column,
        minItems: 1,
        description: 'what to return; all when left out',
      },
      where: { type: 'array', items: condition, maxItems: 10, description: 'what must hold, all of it' },
      orderBy: { ...column, description: 'what to sort by' },
      descending: { type: 'boolean', description: 'largest first', default: false },
      limit: {
        type: 'integer',
        minimum: 1,
        maximum: MOST_ROWS,
        default: DEFAULT_LIMIT,
        description: 'how many rows at most',
      },
    },
    additionalProperties: false,
  };
}

/** Postgres's class 22: a value that is not what the column's type holds. Its text names nothing but the value. */
function explain(error: unknown): never {
  const { code, message } = error as { code?: string; message: string };
  if (code?.startsWith('22'))
    throw new ToolError(`${message}. Send a value of the column's type.`, { cause: error });
  if (code === '42P01') throw new ToolError('The table is gone. List the tools again.', { cause: error });
  throw error;
}
