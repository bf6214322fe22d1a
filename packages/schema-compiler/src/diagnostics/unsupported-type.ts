import type { SchemaErrorCode } from './catalogue.js';

/** Ends the schema of one parameter or result. It is caught at the root of that schema and reported there. */
export class UnsupportedType extends Error {
  override readonly name = 'UnsupportedType';

  constructor(
    readonly code: SchemaErrorCode,
    message: string,
  ) {
    super(message);
  }
}
