/**
 * The effect of a change on existing callers. `breaking`: calls that were right may now fail, or results may
 * be misread. `notable`: nothing fails, but models may behave differently. `compatible`: everything that
 * worked still works.
 */
export type Impact = 'breaking' | 'notable' | 'compatible';

/** One difference between two versions of a contract. */
export interface ContractChange {
  impact: Impact;
  /** The JSON pointer in the contract: `/input/properties/limit`. */
  path: string;
  message: string;
  /** For text that models read: the old and the new text. */
  before?: string;
  after?: string;
}

/** One difference between two versions of a tool. */
export interface Change extends ContractChange {
  tool: string;
}

/** A change of text that models read. Nothing fails, but models may behave differently. */
export function textChange(
  member: string,
  path: string,
  [before, after]: [unknown, unknown],
): ContractChange {
  const show = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
  return { impact: 'notable', path, message: `${member} changed`, before: show(before), after: show(after) };
}
