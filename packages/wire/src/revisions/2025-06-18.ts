import { createStatefulCodec } from '../codecs.js';
import { operationMethods, sessionMethods } from '../methods.js';
import { type RevisionRecord, withFeatures } from '../revision-record.js';

/** Structured results, resource links, titles, elicitation by forms. */
export const revision20250618: RevisionRecord = {
  version: '2025-06-18',
  era: 'stateful',
  features: withFeatures(
    'toolAnnotations',
    'audio',
    'completionsCapability',
    'progressMessage',
    'structuredContent',
    'resourceLinks',
    'titles',
    'formElicitation',
  ),
  methods: [...operationMethods, ...sessionMethods],
  createCodec: createStatefulCodec,
};
