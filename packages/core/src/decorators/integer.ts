/** A number without fraction: `{ "type": "integer" }` in the schema. TypeScript itself sees a number. */
export type integer = number;
