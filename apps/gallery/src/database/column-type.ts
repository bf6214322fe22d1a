/** How the values of a type are compared and shown. */
export interface ColumnType {
  /** The JSON type of a value to compare with. */
  accepts: 'number' | 'string' | 'boolean';
  /** The type that a parameter is read as. A constant of ours: it goes into the SQL as it is. */
  cast: string;
  /** Selected as text: JSON has no such type, or a number of it could lose digits. */
  asText?: true;
}

const number: ColumnType = { accepts: 'number', cast: 'float8' };
const text: ColumnType = { accepts: 'string', cast: 'text' };

/** By the name that information_schema gives. Columns of other types are shown as text, and not compared. */
export const columnTypes: Readonly<Record<string, ColumnType>> = {
  smallint: number,
  integer: number,
  real: number,
  'double precision': number,
  bigint: { accepts: 'string', cast: 'bigint', asText: true },
  numeric: { accepts: 'string', cast: 'numeric', asText: true },
  text,
  character: text,
  'character varying': text,
  boolean: { accepts: 'boolean', cast: 'boolean' },
  date: { accepts: 'string', cast: 'date', asText: true },
  'timestamp without time zone': { accepts: 'string', cast: 'timestamp', asText: true },
  'timestamp with time zone': { accepts: 'string', cast: 'timestamptz', asText: true },
};
