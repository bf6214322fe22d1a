/**
 * What a change means for callers that knew the tool before: `breaking` calls or readers that were right may now fail,
 * `notable` nothing fails but models may behave differently, `compatible` everything that worked still works.
 */
export type Impact = 'breaking' | 'notable' | 'compatible';

/** One difference between two versions of a tool's contract. */
export interface Change {
  tool: string;
  impact: Impact;
  /** JSON pointer into the contract: `/input/properties/limit`. */
  path: string;
  message: string;
}
