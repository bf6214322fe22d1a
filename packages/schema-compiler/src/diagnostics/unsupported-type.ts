import type { SchemaErrorCode } from './catalogue.js';

/** Stops the schema of one parameter or result; caught at its root and reported there. */
export class UnsupportedType extends Error {
  override readonly name = 'UnsupportedType';

  constructor(
    readonly code: SchemaErrorCode,
    message: string,
  ) {
    super(message);
  }
}
