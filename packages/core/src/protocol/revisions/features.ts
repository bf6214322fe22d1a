import { revisions, type Revision } from '../../base/request-context.js';

/** Revisions that start with `initialize`, newest first: the first is the counter-offer to an unknown one. */
export const legacyRevisions: readonly Revision[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
/** Revisions whose requests carry their own envelope. */
export const modernRevisions: readonly Revision[] = ['2026-07-28'];

export function isLegacyRevision(version: string): version is Revision {
  return legacyRevisions.some((revision) => revision === version);
}

export function isModernRevision(version: string): version is Revision {
  return modernRevisions.some((revision) => revision === version);
}

/** What a revision's wire can say (obligations: feature by revision). */
export interface Features {
  /** Arrays of messages. */
  batches: boolean;
  toolAnnotations: boolean;
  audio: boolean;
  completionsCapability: boolean;
  progressMessage: boolean;
  structuredContent: boolean;
  resourceLinks: boolean;
  /** `title`, `_meta` on definitions, `annotations.lastModified`. */
  titles: boolean;
  formElicitation: boolean;
  icons: boolean;
  urlElicitation: boolean;
  samplingTools: boolean;
  /** Streams open with an empty event that can be resumed from. */
  primingEvent: boolean;
}

export function featuresOf(revision: Revision): Features {
  const since = (first: Revision) => revisions.indexOf(revision) >= revisions.indexOf(first);
  return {
    batches: revision === '2025-03-26',
    toolAnnotations: since('2025-03-26'),
    audio: since('2025-03-26'),
    completionsCapability: since('2025-03-26'),
    progressMessage: since('2025-03-26'),
    structuredContent: since('2025-06-18'),
    resourceLinks: since('2025-06-18'),
    titles: since('2025-06-18'),
    formElicitation: since('2025-06-18'),
    icons: since('2025-11-25'),
    urlElicitation: since('2025-11-25'),
    samplingTools: since('2025-11-25'),
    primingEvent: revision === '2025-11-25',
  };
}
