/**
 * What a change means for callers that knew the tool before: `breaking` calls or readers that were right may now fail,
 * `notable` nothing fails but models may behave differently, `compatible` everything that worked still works.
 */
export type Impact = 'breaking' | 'notable' | 'compatible';

/** One difference between two versions of a contract. */
export interface ContractChange {
  impact: Impact;
  /** JSON pointer into the contract: `/input/properties/limit`. */
  path: string;
  message: string;
  /** Of words that models read: what they were, and what they are. */
  before?: string;
  after?: string;
}

/** One difference between two versions of a tool. */
export interface Change extends ContractChange {
  tool: string;
}

/** Words that models read have changed: nothing fails, and they may behave differently. */
export function textChange(
  member: string,
  path: string,
  [before, after]: [unknown, unknown],
): ContractChange {
  const show = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
  return { impact: 'notable', path, message: `${member} changed`, before: show(before), after: show(after) };
}
