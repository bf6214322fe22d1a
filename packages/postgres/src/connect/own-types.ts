import type { PostgresClient, PostgresTypes } from './connection-options.js';

type Parse = (text: string) => unknown;

/** A time in the way that Postgres writes it: `2026-11-28 15:00:00.123+00`. `infinity` is `null`, as it has no date. */
const asDate: Parse = (text) => {
  const [, day, time, zone] = /^(\S+) (\S+?)([+-]\d\d(?::\d\d)?)$/.exec(text) ?? [];
  return day === undefined ? null : new Date(`${day}T${time}${zone!.length === 3 ? `${zone}:00` : zone}`);
};

/** What this package, and pg-boss over it, read of the types of Postgres, by their numbers. */
const OWN: ReadonlyMap<number, Parse> = new Map<number, Parse>([
  [16, (text) => text === 't'], // bool
  [17, (text) => Buffer.from(text.slice(2), 'hex')], // bytea
  [19, String], // name
  [20, String], // int8
  [21, Number], // int2
  [23, Number], // int4
  [25, String], // text
  [26, Number], // oid
  [114, (text) => JSON.parse(text) as unknown], // json
  [700, Number], // float4
  [701, Number], // float8
  [1043, String], // varchar
  [1184, asDate], // timestamptz
  [1700, String], // numeric
  [2950, String], // uuid
  [3802, (text) => JSON.parse(text) as unknown], // jsonb
]);

/**
 * Reads values as the driver does by itself. The type parsers that an application has set, such as one
 * that makes a bigint of every `int8`, are for its own queries.
 */
export function ownTypes(client: PostgresClient): PostgresTypes {
  return {
    getTypeParser: (oid, format) =>
      (format === 'text' || format === undefined ? OWN.get(oid) : undefined) ??
      client.getTypeParser?.(oid, format) ??
      String,
  };
}
