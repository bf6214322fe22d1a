/** Where an effective policy was written. */
export type PolicyOrigin = 'method' | 'class' | 'server';

export interface PolicyEntry<Options = unknown> {
  readonly options: Options;
  readonly origin: PolicyOrigin;
}

/** Effective policies of one operation, by policy name. */
export type PolicyMap = ReadonlyMap<string, PolicyEntry>;
