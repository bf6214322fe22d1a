import type { Awaitable } from './overview-api.js';

/** A call that a model made. */
export interface EvaluatedCall {
  readonly tool: string;
  readonly arguments: unknown;
}

/** How one request of a table ended. */
export interface EvaluatedCase {
  readonly name: string;
  readonly passed: boolean;
  readonly source: 'asked' | 'replayed' | 'missing';
  /** Why the model was asked, or would have to be. */
  readonly reason?: string;
  readonly change: 'new' | 'same' | 'repaired' | 'broken';
  readonly calls: readonly EvaluatedCall[];
  readonly callsBefore?: readonly EvaluatedCall[];
  readonly text?: string;
  readonly problems: readonly { readonly kind: string; readonly message: string }[];
  readonly right: number;
  readonly answers: number;
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
  readonly tokensBefore?: number;
  readonly cost?: number;
}

/** The last report of one table, as `evaluate` of `@toolwright/testing` keeps it. A test compares both types. */
export interface Evaluation {
  readonly name: string;
  readonly model: string;
  readonly at: string;
  readonly cases: readonly EvaluatedCase[];
  readonly tools: readonly {
    readonly name: string;
    readonly expected: number;
    readonly called: number;
    readonly instead: Readonly<Record<string, number>>;
  }[];
  readonly passRate: number;
  readonly ofAnotherList: number;
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
  readonly cost?: number;
  readonly spent: { readonly cost?: number };
}

export interface EvaluationApi {
  /** The newest first. */
  evaluations(params: Record<string, never>): Awaitable<readonly Evaluation[]>;
}
