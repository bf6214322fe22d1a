/**
 * `Symbol.metadata`, brought along where the engine lacks it (all of Node 20). Compilers hand `context.metadata` to
 * standard decorators only if it exists when the class is defined, which it does once core has been imported.
 */
export const symbolMetadata: symbol = ((Symbol as { metadata?: symbol }).metadata ??=
  Symbol.for('Symbol.metadata'));
