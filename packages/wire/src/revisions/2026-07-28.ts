import { createStatelessCodec } from '../codecs.js';
import { operationMethods } from '../methods.js';
import { type RevisionRecord, withFeatures } from '../revision-record.js';

/** No handshake and no sessions: each request carries its version and capabilities. */
export const revision20260728: RevisionRecord = {
  version: '2026-07-28',
  era: 'stateless',
  features: withFeatures(
    'toolAnnotations',
    'audio',
    'completionsCapability',
    'progressMessage',
    'structuredContent',
    'resourceLinks',
    'titles',
    'formElicitation',
    'icons',
    'urlElicitation',
    'samplingTools',
    'tasks',
  ),
  methods: [
    ...operationMethods,
    'server/discover',
    'subscriptions/listen',
    'tasks/get',
    'tasks/update',
    'tasks/cancel',
  ],
  createCodec: createStatelessCodec,
};
