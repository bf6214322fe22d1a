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
  /** The Tasks extension: the server decides which calls become tasks. */
  tasks: boolean;
  /** The tasks of 2025-11-25: the client asks for one, with `task` in the parameters of its call. */
  requestedTasks: boolean;
}
