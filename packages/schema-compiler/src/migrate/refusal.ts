import type { ts } from 'typescript-json-schema';

/** Why a piece of source is left as it is, and what a person can do about it. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  /**
   * @param node where the reason is
   * @param reason a sentence about the source
   * @param advice what to do instead
   */
  constructor(
    readonly node: ts.Node,
    readonly reason: string,
    readonly advice: string,
  ) {
    super(reason);
  }
}
