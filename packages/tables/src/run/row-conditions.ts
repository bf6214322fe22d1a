import { type BoundColumn, itemType, tablesToolError } from './database-table.js';
import type { StatementParameters } from './statement.js';
import { listText, writeValue } from './values.js';

/** How a column is compared. */
export type Comparison =
  | 'equal'
  | 'not_equal'
  | 'less'
  | 'at_most'
  | 'greater'
  | 'at_least'
  | 'one_of'
  | 'contains'
  | 'starts_with'
  | 'empty'
  | 'not_empty';

/** What must hold for a row. */
export interface RowCondition<Column extends string = string> {
  column: Column;
  /** `contains`: a text has it, in any case; a list has the item. `empty`: is null */
  is: Comparison;
  /** What to compare with; not for one_of, empty and not_empty */
  value?: string | number | boolean;
  /**
   * For one_of
   * @minItems 1
   * @maxItems 100
   */
  values?: (string | number | boolean)[];
}

const OPERATORS: Partial<Record<Comparison, string>> = {
  equal: '=',
  not_equal: '<>',
  less: '<',
  at_most: '<=',
  greater: '>',
  at_least: '>=',
};

/**
 * The SQL of a condition. Only names of the table and operators of this file are in it.
 *
 * @throws {ToolError} if the condition lacks what it compares with
 */
export function conditionSql(
  column: BoundColumn,
  { is, value, values }: RowCondition,
  parameters: StatementParameters,
): string {
  const { name, type, isList, member } = column;
  if (is === 'empty') return `${name} IS NULL`;
  if (is === 'not_empty') return `${name} IS NOT NULL`;
  const item = { ...column, isList: false };
  if (is === 'one_of') {
    if (!values) throw tablesToolError('TW_TABLES_VALUE', `"one_of" needs "values" for ${member}.`);
    if (isList)
      throw tablesToolError('TW_TABLES_VALUE', `${member} has lists. Use "contains" with one item.`);
    const list = listText(values.map((each) => writeValue(item, each)));
    return `${name} = ANY (${parameters.take(list, `${type}[]`)})`;
  }
  if (value === undefined) throw tablesToolError('TW_TABLES_VALUE', `"${is}" needs a "value" for ${member}.`);
  const text = writeValue(item, value);
  if (is === 'contains' && isList) return `${parameters.take(text, itemType(type))} = ANY (${name})`;
  if (is === 'contains')
    return `position(lower(${parameters.take(text, 'text')}) in lower(${name}::text)) > 0`;
  if (is === 'starts_with')
    return `starts_with(lower(${name}::text), lower(${parameters.take(text, 'text')}))`;
  return `${name} ${OPERATORS[is]} ${parameters.take(text, type)}`;
}
