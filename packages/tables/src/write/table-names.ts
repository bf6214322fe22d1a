import { pascalName, NameSet, camelName, kebabName } from '@toolwright/json';
import type { PlannedTable } from '../model/planned-table.js';

/** The names that the code of a table has. */
export interface TableNames {
  readonly file: string;
  readonly service: string;
  /** The constant with what the methods know of the table. */
  readonly table: string;
  readonly row: string;
  readonly key: string;
  readonly column: string;
  readonly added: string;
  readonly change: string;
}

/** Names of TypeScript and of what a service imports. */
const TAKEN = (
  'Array Boolean Buffer Confirm Database DatabaseTable Date Error Function Json ListRows Map MaxOutput McpService McpTool Number ' +
  'Object Omit Partial Pick Promise Readonly Record Request Required Response RowPage Set String Symbol TableDatabase ' +
  'ToolContext URL Uint8Array integer rowQuestion'
).split(' ');

/**
 * Names for the code of each table. Each is once in the whole import, although each file has its own: a person who moves a class
 * then changes no name.
 */
export function namesOf(tables: readonly PlannedTable[], database: string): ReadonlyMap<string, TableNames> {
  const taken = new NameSet([...TAKEN, database]);
  const files = new NameSet(['database', 'index']);
  return new Map(
    tables.map(({ key, noun }) => {
      const row = freeRow(pascalName(noun), taken);
      return [
        key,
        {
          file: files.take(`${kebabName(noun)}-tools`),
          table: `${camelName(noun)}Table`,
          row,
          ...ofRow(row),
        },
      ];
    }),
  );
}

const ofRow = (row: string) => ({
  service: `${row}Tools`,
  key: `${row}Key`,
  column: `${row}Column`,
  added: `New${row}`,
  change: `${row}Change`,
});

/** A name with which all names that are made of it are free. */
function freeRow(wanted: string, taken: NameSet): string {
  for (let number = 1; ; number += 1) {
    const row = number === 1 ? wanted : `${wanted}${/\d$/.test(wanted) ? '_' : ''}${number}`;
    const all = [row, ...Object.values(ofRow(row))];
    if (all.some((name) => taken.has(name))) continue;
    for (const name of all) taken.take(name);
    return row;
  }
}
