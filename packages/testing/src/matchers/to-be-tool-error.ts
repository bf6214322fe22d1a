import { inspect } from 'node:util';

/** What Jest expects a matcher to return. */
export interface Verdict {
  pass: boolean;
  message(): string;
}

/** The part of Jest's `this` in a matcher that is used here. */
export interface MatcherContext {
  readonly isNot?: boolean;
}

interface ResultLike {
  isError?: unknown;
  content?: { type: string; text?: string }[];
}

/**
 * Passes for a result with `isError: true` whose text contains `expected` (a string) or matches it (a
 * pattern). A JSON-RPC error has no result: in that case, expect the call to reject with an `RpcError`.
 */
export function toBeToolError(this: MatcherContext, received: unknown, expected?: string | RegExp): Verdict {
  const { isError, content } = (received ?? {}) as ResultLike;
  const text =
    content?.flatMap((block) => (block.type === 'text' ? [block.text ?? ''] : [])).join('\n') ?? '';
  const fits =
    expected === undefined || (expected instanceof RegExp ? expected.test(text) : text.includes(expected));
  const wanted = expected === undefined ? 'a tool error' : `a tool error saying ${inspect(expected)}`;
  const was = isError === true ? `an error saying ${inspect(text)}` : inspect(received, { depth: 4 });
  return {
    pass: isError === true && fits,
    message: () => `Expected ${this.isNot ? 'anything but ' : ''}${wanted}, but received ${was}.`,
  };
}
