import { createStatefulCodec } from '../stateful-codec.js';
import { revision20250618 } from './2025-06-18.js';
import type { RevisionRecord } from '../revision-record.js';

/** Icons, elicitation by a page, tools in sampling, streams that can be polled, tasks that clients ask for. */
export const revision20251125: RevisionRecord = {
  version: '2025-11-25',
  era: 'stateful',
  features: {
    ...revision20250618.features,
    icons: true,
    urlElicitation: true,
    samplingTools: true,
    primingEvent: true,
    requestedTasks: true,
  },
  createCodec: createStatefulCodec,
};
