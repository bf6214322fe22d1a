import type { Awaitable } from './awaitable.js';
import type { OnServer } from './overview-api.js';

/** One step of the planned chain. */
export interface ExplainedStep {
  readonly name: string;
  readonly origin: string;
  readonly detail?: string;
}

/** What one provider of models makes of a tool. */
export interface ProviderForm {
  /** Such as `OpenAI strict`, `Gemini`, `Claude`. */
  readonly provider: string;
  readonly schema: Readonly<Record<string, unknown>>;
  /** What is lost or changed, in a sentence each. */
  readonly notes: readonly string[];
}

export interface Explanation {
  readonly name: string;
  readonly contract: string;
  readonly location?: string;
  readonly steps: readonly ExplainedStep[];
  readonly policies: readonly { readonly name: string; readonly origin: string }[];
  /** The natural schemas, against which is validated. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly output: Readonly<Record<string, unknown>> | null;
  /** The schema as `tools/list` publishes it. */
  readonly published: Readonly<Record<string, unknown>>;
  readonly providers: readonly ProviderForm[];
}

export interface ExplainApi {
  explain(params: OnServer & { readonly tool: string }): Awaitable<Explanation>;
}
