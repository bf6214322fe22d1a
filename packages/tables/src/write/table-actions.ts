import { literalText, plural } from '@toolwright/json';
import { isComparable, type PlannedTable, type TableAction } from '../model/planned-table.js';
import type { TableNames } from './table-names.js';

/** A method of a service, in parts. */
export interface WrittenAction {
  readonly action: TableAction;
  readonly tool: string;
  /** In words, such as `get film`. The prefix of its tool is not among them: the code has no use for it. */
  readonly method: string;
  readonly about: string;
  readonly annotations: Readonly<Record<string, boolean>>;
  /** The code of its question. */
  readonly confirm?: string | undefined;
  readonly hasLongAnswer: boolean;
  readonly parameter: string;
  readonly result: string;
  readonly body: string;
}

const READS = { readOnlyHint: true, openWorldHint: false };
const ADDS = { destructiveHint: false, openWorldHint: false };
const DESTROYS = { destructiveHint: true, idempotentHint: true, openWorldHint: false };

/** What each action says of itself to a model: the words of its description, and its annotations. */
export function describeAction(action: TableAction, { label, isView, description }: PlannedTable): string {
  const words = {
    list: `List rows of ${isView ? `the view ${label}` : label}, in pages.`,
    get: `Get the row of ${label} with a key.`,
    insert: `Add a row to ${label}. Returns it as it is then.`,
    update: `Change columns of a row of ${label}. Returns it as it is then.`,
    delete: `Delete a row of ${label} for good.`,
  }[action];
  return action === 'list' || action === 'get' ? `${words} ${description}`.trim() : words;
}

/** What an action does to the rows. */
export const annotationsOf = (action: TableAction): Readonly<Record<string, boolean>> =>
  action === 'list' || action === 'get' ? READS : action === 'insert' ? ADDS : DESTROYS;

/** The methods of a table, in the order of its tools. */
export function actionsOf(table: PlannedTable, names: TableNames): WrittenAction[] {
  return (Object.entries(table.tools) as [TableAction, string][]).map(([action, tool]) => ({
    action,
    tool,
    method: `${action} ${action === 'list' ? plural(table.noun) : table.noun}`,
    about: describeAction(action, table),
    annotations: annotationsOf(action),
    hasLongAnswer: action === 'list' || action === 'get',
    ...codeOf(action, table, names),
  }));
}

type Code = Pick<WrittenAction, 'confirm' | 'parameter' | 'result' | 'body'>;

function codeOf(action: TableAction, table: PlannedTable, names: TableNames): Code {
  const { row, key, column, added, change, table: constant } = names;
  switch (action) {
    case 'list':
      return {
        parameter: `query: ${table.columns.some(isComparable) ? `ListRows<${column}>` : "Pick<ListRows, 'limit' | 'cursor'>"}`,
        result: `RowPage<${row}>`,
        body: `this.database.list(${constant}, query, ctx)`,
      };
    case 'get':
      return { parameter: `key: ${key}`, result: row, body: `this.database.get(${constant}, key, ctx)` };
    case 'insert':
      return { parameter: `row: ${added}`, result: row, body: `this.database.insert(${constant}, row, ctx)` };
    case 'update':
      return {
        confirm: question('Change', 'change', change, constant, table.noun),
        parameter: `change: ${change}`,
        result: row,
        body: `this.database.update(${constant}, change, ctx)`,
      };
    case 'delete':
      return {
        confirm: question('Delete', 'key', key, constant, table.noun),
        parameter: `key: ${key}`,
        result: 'void',
        body: `this.database.delete(${constant}, key, ctx)`,
      };
  }
}

/** The question names the row, and what changes in it. */
const question = (verb: string, name: string, type: string, constant: string, noun: string) =>
  `(${name}: ${type}) => rowQuestion(${literalText(`${verb} ${noun.replaceAll('_', ' ')}`)}, ${constant}, ${name})`;
