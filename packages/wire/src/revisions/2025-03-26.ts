import { createStatefulCodec } from '../codecs.js';
import { operationMethods, sessionMethods } from '../methods.js';
import { type RevisionRecord, withFeatures } from '../revision-record.js';

/** Streamable HTTP, tool annotations, audio; the only revision with batches. */
export const revision20250326: RevisionRecord = {
  version: '2025-03-26',
  era: 'stateful',
  features: withFeatures('batches', 'toolAnnotations', 'audio', 'completionsCapability', 'progressMessage'),
  methods: [...operationMethods, ...sessionMethods],
  createCodec: createStatefulCodec,
};
