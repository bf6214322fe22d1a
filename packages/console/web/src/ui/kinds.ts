import type { Kind } from '../../../src/api/surface-api.js';

/** What a person calls one of each kind. */
export const kindNames: Readonly<Record<Kind, string>> = {
  tool: 'tool',
  prompt: 'prompt',
  resource: 'resource',
  resourceTemplate: 'template',
};
