/**
 * A number without fraction: `{ "type": "integer" }` in the schema. TypeScript itself sees a number.
 *
 * @example
 * list(limit: integer = 10) { … }
 */
export type integer = number;
