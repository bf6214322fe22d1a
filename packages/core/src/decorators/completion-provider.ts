import { anyObject, anything, listOf, text } from '@toolwright/ground/base/options/rules';
import type { RequestContext } from '@toolwright/ground/base/request-context';
import type { MaybePromise } from '@toolwright/json';
import type { InjectionToken } from '../container/provider.js';
import { recording, type MethodOnlyDecorator, type ParameterOnlyDecorator } from './recording.js';

/** Completes an argument while a person types it. */
export interface CompletionSource {
  /**
   * Returns the values that fit what was typed so far.
   *
   * @param value the text that was typed so far
   * @param known the other arguments that are already filled in and valid, in the form that the method would
   * get from JSON: numbers are numbers
   * @returns the values, best match first; the first 100 are sent
   */
  complete(
    value: string,
    known: Readonly<Record<string, unknown>>,
    request: RequestContext,
  ): MaybePromise<readonly string[]>;
}

/** A source whose `complete` also has parameters that the container fills in: see `@Inject`. */
export interface AnyCompletionSource {
  complete(value: string, ...more: never[]): MaybePromise<readonly string[]>;
}

/** Where the values come from: a fixed list, the values of an enum, or a provider from the container. */
export type CompletionOptions = (
  | { values: readonly string[] }
  | { enum: Record<string, string | number> }
  | { provider: InjectionToken<AnyCompletionSource> }
) & {
  /**
   * The name of the argument. Needed on a method (where parameters cannot be decorated), and for a flattened
   * object.
   */
  argument?: string;
};

/** The options of all three forms. */
const completionOptions = {
  values: listOf('a list of strings', text),
  enum: anyObject,
  provider: anything,
  argument: text,
};

/** The decorator works on a parameter and on a method. */
export type CompletionProviderDecorator = ParameterOnlyDecorator & MethodOnlyDecorator;

/**
 * Offers completions for an argument of a prompt or a resource template (`completion/complete`).
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
