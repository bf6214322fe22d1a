/** What messages of a revision can express (obligations: feature by revision). */
export interface Features {
  /** True when a message may be an array of messages. */
  batches: boolean;
  toolAnnotations: boolean;
  audio: boolean;
  completionsCapability: boolean;
  progressMessage: boolean;
  structuredContent: boolean;
  resourceLinks: boolean;
  /** `title`, `_meta` on definitions, and `annotations.lastModified`. */
  titles: boolean;
  formElicitation: boolean;
  icons: boolean;
  urlElicitation: boolean;
  samplingTools: boolean;
  /** Streams start with an empty event, from which a client can resume. */
  primingEvent: boolean;
  /**
   * The Tasks extension. The tasks of revision 2025-11-25 are something else, and no known client asks for
   * them.
   */
  tasks: boolean;
}
