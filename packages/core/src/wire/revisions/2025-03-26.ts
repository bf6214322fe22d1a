import { createStatefulCodec } from '../stateful-codec.js';
import { revision20241105 } from './2024-11-05.js';
import type { RevisionRecord } from '../revision-record.js';

/** Streamable HTTP, tool annotations, audio; the only revision with batches. */
export const revision20250326: RevisionRecord = {
  version: '2025-03-26',
  era: 'stateful',
  features: {
    ...revision20241105.features,
    batches: true,
    toolAnnotations: true,
    audio: true,
    completionsCapability: true,
    progressMessage: true,
  },
  createCodec: createStatefulCodec,
};
