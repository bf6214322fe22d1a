import { createStatelessCodec } from '../stateless-codec.js';
import { revision20251125 } from './2025-11-25.js';
import type { RevisionRecord } from '../revision-record.js';

/** No handshake and no sessions: each request carries its version and capabilities. */
export const revision20260728: RevisionRecord = {
  version: '2026-07-28',
  era: 'stateless',
  features: {
    ...revision20251125.features,
    primingEvent: false,
    tasks: true,
    requestedTasks: false,
  },
  createCodec: createStatelessCodec,
};
