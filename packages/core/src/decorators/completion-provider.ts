import type { MaybePromise } from '../base/maybe-promise.js';
import type { InjectionToken } from '../container/token.js';
import type { RequestContext } from '../base/request-context.js';
import { anyObject, anything, listOf, text } from '../base/options/rules.js';
import { recording, type MethodOnlyDecorator, type ParameterOnlyDecorator } from './recording.js';

/** Completes an argument while a person types it. */
export interface CompletionSource {
  /**
   * @param value what was typed so far
   * @param known the other arguments that are already filled in and fit, as the method would get them from JSON:
   *   numbers are numbers
   * @returns best match first; the first 100 are sent
   */
  complete(
    value: string,
    known: Readonly<Record<string, unknown>>,
    request: RequestContext,
  ): MaybePromise<readonly string[]>;
}

/** The same with parameters of its own after those, or among them, that the container fills in: see `@Inject`. */
export interface AnyCompletionSource {
  complete(value: string, ...more: never[]): MaybePromise<readonly string[]>;
}

/** Where the values come from: a fixed list, an enum's values, or a provider from the container. */
export type CompletionOptions = (
  | { values: readonly string[] }
  | { enum: Record<string, string | number> }
  | { provider: InjectionToken<AnyCompletionSource> }
) & {
  /** Name of the argument; needed on a method (where parameters cannot be decorated) and for a flattened object. */
  argument?: string;
};

/** All that one of the three forms can have. */
const completionOptions = {
  values: listOf('a list of strings', text),
  enum: anyObject,
  provider: anything,
  argument: text,
};

/** What was recorded, on a parameter or on a method. */
export type CompletionProviderDecorator = ParameterOnlyDecorator & MethodOnlyDecorator;

/**
 * Offers completions for an argument of a prompt or resource template (`completion/complete`).
 *
 * @example
 * page(@CompletionProvider({ provider: PageIds }) id: string) { … }
 */
export function CompletionProvider(options: CompletionOptions): CompletionProviderDecorator {
  return recording(
    { kind: 'completion', options, schema: completionOptions },
    CompletionProvider,
  ) as CompletionProviderDecorator;
}
