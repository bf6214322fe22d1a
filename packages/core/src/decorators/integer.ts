/** A number without a fraction: `{ "type": "integer" }` in the schema. For TypeScript it is a `number`. */
export type integer = number;
