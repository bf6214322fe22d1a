import { createStatefulCodec } from '../codecs.js';
import { operationMethods, sessionMethods } from '../methods.js';
import { type RevisionRecord, withFeatures } from '../revision-record.js';

/** Icons, elicitation by a page, tools in sampling, streams that can be polled, tasks that clients ask for. */
export const revision20251125: RevisionRecord = {
  version: '2025-11-25',
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
    'icons',
    'urlElicitation',
    'samplingTools',
    'primingEvent',
    'requestedTasks',
  ),
  methods: [
    ...operationMethods,
    ...sessionMethods,
    'tasks/get',
    'tasks/cancel',
    'tasks/list',
    'tasks/result',
  ],
  createCodec: createStatefulCodec,
};
