import type { FormerOptions } from '../../base/options/option-schema.js';

/**
 * Options of `createMcpServer` that earlier releases called otherwise. A server that sets one does not start, and the
 * problem names the option of today. docs/upgrading.md lists the same names; a test holds the two together.
 */
export const formerOptions: FormerOptions = {
  legacy: 'stateful',
  "output.undeclared: 'allow'": "output.undeclared: 'keep'",
};
