import { createStatefulCodec } from '../stateful-codec.js';
import { revision20250326 } from './2025-03-26.js';
import type { RevisionRecord } from '../revision-record.js';

/** Structured results, resource links, titles, elicitation by forms. */
export const revision20250618: RevisionRecord = {
  version: '2025-06-18',
  era: 'stateful',
  features: {
    ...revision20250326.features,
    batches: false,
    structuredContent: true,
    resourceLinks: true,
    titles: true,
    formElicitation: true,
  },
  createCodec: createStatefulCodec,
};
