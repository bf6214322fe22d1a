/** The place of an effective policy. */
export type PolicyOrigin = 'method' | 'class' | 'server';

export interface PolicyEntry<Options = unknown> {
  readonly options: Options;
  readonly origin: PolicyOrigin;
}

/** The effective policies of one operation, by the name of the policy. */
export type PolicyMap = ReadonlyMap<string, PolicyEntry>;
