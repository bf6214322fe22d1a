/**
 * `Symbol.metadata`, defined here if the engine lacks it (all of Node 20). Compilers pass `context.metadata`
 * to standard decorators only if the symbol exists when a class is defined. It exists as soon as core is
 * imported.
 */
export const symbolMetadata: symbol = ((Symbol as { metadata?: symbol }).metadata ??=
  Symbol.for('Symbol.metadata'));
