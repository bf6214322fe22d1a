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
  /** The Tasks extension. The tasks of 2025-11-25 are another thing, which no known client asks for. */
  tasks: boolean;
}
