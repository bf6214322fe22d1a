const KiB = 1024;
const MiB = 1024 * KiB;

/**
 * All that a server behind may make us keep, wait for and do, and why. Trust decides and not the direction: a server that
 * somebody else wrote has no more room than a caller that nobody knows. What an author of a mount may change is in
 * `limits` (`options.ts`): operations, bytes of a definition and of an answer, the time of an answer, memory. docs/mounts.md has
 * this table in words.
 */
export const BUDGET = {
  /** How long work on one message may hold the event loop before others get their turn. A call of others waits for it. */
  holdMs: 10,
  /** The operations that are made without a look at the clock, and the characters of their definitions. */
  changedTogether: { operations: 10, characters: 32 * KiB },

  // Lists
  /** Pages of a list. A cursor may lead in a circle, or on for ever. */
  pages: 100,
  /** All definitions of one reading together. Each may be as large as `limits.schemaBytes`, and there may be 4,000. */
  catalogueBytes: 16 * MiB,
  /** How deep a definition is nested. Each level costs a frame of our stack, and honest schemas have some ten. */
  depth: 128,
  /** The values of one definition. Checking one takes two microseconds, and the largest tools of known APIs have some thousand. */
  definitionValues: 10_000,
  /**
   * The letters of all patterns in the schemas of a definition. Those for dates and addresses have some hundred. In a process that
   * has just begun, the analysis of one of 3,000 letters takes 50 milliseconds.
   */
  patternLength: 2_000,
  /** The letters of a name, a URI or a template. Templates are compared with each other, letter by letter. */
  addressLength: 2_000,
  /** Steps of comparing the URIs of a change with all others. Over it, templates are taken to meet, and are left out. */
  meetingSteps: 1_000_000,
  /** How much of `connectTimeout` a list may take. A list that never comes must leave the others their time. */
  listPart: 0.8,
  /** When a list that failed is asked for again, in milliseconds. */
  relistMs: 30_000,
  /** Changes within this time are read together: a server may announce without end. */
  changePauseMs: 100,
  /** What is remembered of names that come after the first catalogue, besides `limits.tools`. */
  laterBytes: 16 * MiB,

  // Lists of callers whose values differ
  /** Lists that are kept. The one that was used longest ago is forgotten. */
  lists: 1_000,
  /** All forms of all lists. */
  formBytes: 64 * MiB,

  // Messages
  /**
   * What the parts of a message weigh. A value takes half a microsecond on its way to our caller: it is parsed, checked, cleaned
   * and written. Long integers and hidden characters are written in another way, and a quote in a text is read slowly. A new form of an object weighs one: to the parser it is new.
   */
  weights: { longInteger: 10, hidden: 4, quote: 1 / 16 },
  /** The characters of an answer from which on others get their turn between reading, checking and passing it on. */
  longText: 64 * KiB,
  /** What a stream may send besides its answer: progress, log messages, questions. */
  noticeBytes: 4 * MiB,
  /** What we have written to a child that it has not read. Over it, its process ends: it reads nothing any more. */
  unreadBytes: 8 * MiB,
  /** Questions that wait for our reply to be taken. Each reply over HTTP is a request, and needs a descriptor. */
  owedReplies: 64,
  /** Questions of one call. A person answers them. */
  questions: 32,
  /** Rounds of one call. */
  rounds: 32,

  // Sessions and streams
  /** Sessions over HTTP. Processes have `maxProcesses`. */
  sessions: 1_000,
  /** Whatever a server says with `retry:`, its stream is opened again after these pauses, in milliseconds. */
  reopen: { firstMs: 100, longestMs: 30_000 },
  /** A stream or a connection that has lasted this long was no failure. The next pause is the first one again. */
  stableMs: 60_000,

  // What is remembered, and how often something is tried
  /** Resources of a server behind that are watched at most. */
  watched: 1_000,
  /** Updates of one resource within this time are announced once. */
  updatePauseMs: 100,
  /** Resources that may be announced within it. */
  updates: 1_000,
  /** A task is asked for no more often, whatever its server says. */
  shortestPollMs: 100,
  /** A task is asked for no less often, whatever its server says. */
  longestPollMs: 10_000,
  /** The longest question that a person is asked, in characters of JSON. */
  questionLength: 64 * KiB,
  /** How long a client may take to come back with an answer. */
  parkedMs: 5 * 60_000,
  /** Calls that wait for their client at most. The oldest one is given up. */
  parked: 256,
  /** A request that was never sent may be sent again, but not for ever. */
  attempts: 20,
  /** The longest text of an error that a model reads in place of a result. */
  errorLength: 2_000,
  /** The data of an error, in characters of JSON. */
  errorDataLength: 16 * KiB,
  /** Names of tools of others that are remembered of descriptions. */
  mentions: 1_000,
  /** Callers whose values are remembered for a moment. */
  metCallers: 10_000,
  /** A server that goes away soon after it has come is tried again at once this often. */
  flaps: 8,
  /** What the log says of callers who cannot be served: reasons within a time, in milliseconds. */
  warnings: { most: 10, spanMs: 60_000 },
  /** Lines of the standard error of a child that are remembered. */
  lastLines: 50,
} as const;
