/** A call that a model makes. */
export interface ModelCall {
  /** The name of the tool, as the model wrote it. */
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Which call it is; a message with its result names it. */
  readonly id?: string;
}

/** What an answer took. All three are numbers of tokens. */
export interface ModelUsage {
  /** All tokens of the request, also the cached ones. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The part of `inputTokens` that came from a cache. Default: 0. */
  readonly cachedInputTokens?: number;
}

/** Why an answer is not the expected one. */
export interface AnswerProblem {
  /**
   * `tool`: another tool, or none, or one too many. `arguments`: they differ from the table. `schema`: the server would
   * refuse them. `recording`: there is none that counts. `model`: it has thrown an error.
   */
  readonly kind: 'tool' | 'arguments' | 'schema' | 'recording' | 'model';
  readonly message: string;
}

/** How one case ended. */
export interface CaseReport {
  readonly name: string;
  /** The tools that were expected. */
  readonly expected: readonly string[];
  readonly passed: boolean;
  /** Where the answers come from. `missing`: there are none. */
  readonly source: 'asked' | 'replayed' | 'missing';
  /** Why the model was asked, or would have to be. */
  readonly reason?: string;
  /** Compared with the last run. */
  readonly change: 'new' | 'same' | 'repaired' | 'broken';
  /** The calls of the first answer that is not as expected, or else of the first one. */
  readonly calls: readonly ModelCall[];
  readonly text?: string;
  /** The calls of the first answer of the last run, where they were others. */
  readonly callsBefore?: readonly ModelCall[];
  readonly problems: readonly AnswerProblem[];
  /** How many of the answers are as expected. */
  readonly right: number;
  readonly answers: number;
  /** Of all answers of the case. */
  readonly usage: Required<ModelUsage>;
  /** The tokens of the last run, where they were others. */
  readonly tokensBefore?: number;
  readonly cost?: number;
}

/** What models took for a tool. */
export interface ToolReport {
  readonly name: string;
  /** In how many cases it was expected. */
  readonly expected: number;
  /** In how many of these it was called. */
  readonly called: number;
  /** What was called in its place, and how often. `nothing` means no call. */
  readonly instead: Readonly<Record<string, number>>;
}

/** How a table of requests ended. */
export interface EvaluationReport {
  /** The name of the file of recordings, without its ending. */
  readonly name: string;
  readonly model: string;
  /** When it ended, in ISO 8601. */
  readonly at: string;
  readonly cases: readonly CaseReport[];
  readonly tools: readonly ToolReport[];
  /** The share of cases that passed, from 0 to 1. */
  readonly passRate: number;
  /** A line for each case that failed, to be compared with `[]` in a test. */
  readonly failures: readonly string[];
  /** Cases that were replayed, although another tool than theirs has changed since. */
  readonly ofAnotherList: number;
  /** Tokens of all answers, replayed ones included. `cost` is their price. */
  readonly usage: Required<ModelUsage>;
  readonly cost?: number;
  /** Tokens and cost of the answers that the model gave in this run. */
  readonly spent: { readonly usage: Required<ModelUsage>; readonly cost?: number };
}
