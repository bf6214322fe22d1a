import { createStatefulCodec } from '../codecs.js';
import { operationMethods, sessionMethods } from '../methods.js';
import { type RevisionRecord, withFeatures } from '../revision-record.js';

/** The first revision. Its HTTP transport opened a stream of its own; see the `sse` option of the HTTP transport. */
export const revision20241105: RevisionRecord = {
  version: '2024-11-05',
  era: 'stateful',
  features: withFeatures(),
  methods: [...operationMethods, ...sessionMethods],
  createCodec: createStatefulCodec,
};
