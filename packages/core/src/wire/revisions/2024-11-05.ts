import { createStatefulCodec } from '../stateful-codec.js';
import type { RevisionRecord } from '../revision-record.js';

/** The first revision. Its HTTP transport opened a stream of its own; see the `sse` option of the HTTP transport. */
export const revision20241105: RevisionRecord = {
  version: '2024-11-05',
  era: 'stateful',
  features: {
    batches: false,
    toolAnnotations: false,
    audio: false,
    completionsCapability: false,
    progressMessage: false,
    structuredContent: false,
    resourceLinks: false,
    titles: false,
    formElicitation: false,
    icons: false,
    urlElicitation: false,
    samplingTools: false,
    primingEvent: false,
    tasks: false,
    requestedTasks: false,
  },
  createCodec: createStatefulCodec,
};
