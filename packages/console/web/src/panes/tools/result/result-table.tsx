type Row = Readonly<Record<string, unknown>>;

export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

/** More than anybody reads in a table; the tree has them all. */
const MAX_ROWS = 500;

/** A list of objects in a result: the result itself, or its longest member that is one. */
export function findTable(value: unknown): Table | undefined {
  if (isRows(value)) return tableOf('', value);
  if (typeof value !== 'object' || value === null) return undefined;
  const [longest] = Object.entries(value)
    .filter((entry): entry is [string, Row[]] => isRows(entry[1]))
    .sort(([, a], [, b]) => b.length - a.length);
  return longest && tableOf(...longest);
}

export function ResultTable({ table: { name, columns, rows } }: { table: Table }) {
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label={name || 'Result'}>
      <table className="table">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MAX_ROWS).map((row, index) => (
            <tr key={index}>
              {columns.map((column) => (
                <td key={column} className={typeof row[column] === 'number' ? 'number' : undefined}>
                  {textOf(row[column])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > MAX_ROWS && <p className="faint">{rows.length - MAX_ROWS} more rows under Data.</p>}
    </div>
  );
}

function tableOf(name: string, rows: readonly Row[]): Table {
  const columns = [...new Set(rows.slice(0, MAX_ROWS).flatMap((row) => Object.keys(row)))];
  return { name, columns, rows };
}

function isRows(value: unknown): value is Row[] {
  const isRow = (each: unknown) => typeof each === 'object' && each !== null && !Array.isArray(each);
  return Array.isArray(value) && value.length > 0 && value.every(isRow);
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
