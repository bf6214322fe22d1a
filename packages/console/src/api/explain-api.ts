import type { ExplainedPrograms, ToolExplanation } from '@toolwright/core/operate';
import type { Awaitable, OnServer } from './overview-api.js';
import type { Identity } from './surface-api.js';

/** What a client library does with one construct of a schema, as `apps/providers` tests it. */
export type ProviderVerdict = 'kept' | 'weakened' | 'lost';

/** One construct of the published schema that at least one library does not keep. */
export interface ConstructVerdicts {
  /** A JSON pointer into the published schema. */
  readonly pointer: string;
  /** Such as `@pattern`, in words of the guide. */
  readonly construct: string;
  /** In the order of `providers`. */
  readonly verdicts: readonly ProviderVerdict[];
}

export interface Explanation extends Readonly<
  Pick<ToolExplanation, 'name' | 'description' | 'for' | 'contract' | 'location' | 'steps' | 'policies'>
> {
  /** The other tools of this name, each for other callers. */
  readonly others?: readonly Explanation[];
  /** The natural schemas, against which is validated. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly output: Readonly<Record<string, unknown>> | null;
  /** The entry of `tools/list`. Left out when `authorize` or `for` hides the tool from everybody whom the console can play. */
  readonly published?: Readonly<Record<string, unknown>>;
  /** The client libraries that are tested. */
  readonly providers: readonly string[];
  readonly constructs: readonly ConstructVerdicts[];
}

export interface ExplainApi {
  explain(params: OnServer & { readonly tool: string }): Awaitable<Explanation>;
  /** What the programs of a caller may do. Nothing in a server without code mode. */
  programs(
    params: OnServer & { readonly as?: Identity },
  ): Awaitable<{ readonly programs?: ExplainedPrograms }>;
}
