import type { PlannedColumn, PlannedTable } from '../model/planned-table.js';
import type { DatabaseColumn, DatabaseTable } from '../run/database-table.js';

/** What the methods of the client know of a table. */
export const tableOf = ({ schema, name, keyMembers, rowSecurity, columns }: PlannedTable): DatabaseTable => ({
  schema,
  name,
  ...(keyMembers && { key: keyMembers }),
  ...(rowSecurity !== false && { rowSecurity }),
  columns: Object.fromEntries(columns.map((each) => [each.member, columnOf(each)])),
});

function columnOf({ member, name, type, kind, isOwnType, isSecret }: PlannedColumn): string | DatabaseColumn {
  const more = {
    ...(name !== member && { column: name }),
    ...(isOwnType && { as: kind }),
    ...(isSecret && { writeOnly: true }),
  };
  return Object.keys(more).length === 0 ? type : { type, ...more };
}
