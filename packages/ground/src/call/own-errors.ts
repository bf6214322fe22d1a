import { oncePer } from '@toolwright/json';
import { ToolError, isToolwrightError, toolErrorOf } from '../base/errors/errors.js';
import type { ConfigurationProblem } from '../base/errors/configuration-error.js';
import type { OptionRule } from '../base/options/option-schema.js';
import { callback, either, listOf, oneOf } from '../base/options/rules.js';
import type { Logger } from '../ports/logger.js';

/**
 * What callers read of an error of one class: its message, or what a function makes of it. A function that throws, or
 * that returns no text, gives the generic text.
 */
export type ErrorWords = 'show' | { words(error: Error): string }['words'];

/** A class of errors of the application, and what callers read of them. Errors of classes below it count, too. */
export type ErrorRule = readonly [errorClass: abstract new (...args: never[]) => object, words: ErrorWords];

const pair = either(oneOf('show'), callback);

export const errorRules: OptionRule = listOf("a list such as [[OrderError, 'show']]", {
  expected: "a pair of a class and of 'show' or a function",
  accepts: (value) =>
    Array.isArray(value) && value.length === 2 && callback.accepts(value[0]) && pair.accepts(value[1]),
});

/** Their messages are written by libraries and by Node.js, for those who run the server. */
const builtIn: ReadonlySet<unknown> = new Set([
  Object,
  Error,
  AggregateError,
  DOMException,
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
]);

/** What keeps the option `errors` from meaning what its author thinks. */
export function findErrorRuleProblems(rules: readonly ErrorRule[]): ConfigurationProblem[] {
  const seen = new Set<unknown>();
  return rules.flatMap(([errorClass, words], index) => {
    const problem = (message: string, fix: string): ConfigurationProblem[] => [
      { code: 'TW_OPTION_INVALID', message: `errors[${index}] ${message}`, fix },
    ];
    if (typeof errorClass.prototype !== 'object')
      return problem(
        'begins with a function that is no class, so no error could be of it.',
        "Write the class first, and then 'show' or a function: [OrderError, (error) => error.message].",
      );
    const isRepeated = seen.has(errorClass);
    seen.add(errorClass);
    if (isRepeated) return problem(`names ${errorClass.name} again.`, 'Write each class once.');
    if (words !== 'show' || !builtIn.has(errorClass)) return [];
    return problem(
      `would show what libraries and Node.js write, because ${errorClass.name} is built in: connection strings, queries, paths.`,
      "Write 'show' for a class of your own, or a function that returns a text.",
    );
  });
}

/** What a server answers with for the errors that its application throws: a text, or nothing that callers may read. */
export type ReadError = (error: unknown) => ToolError | undefined;

/** Reads the errors of a server that names classes of its own, beside every `ToolError`. */
export function readErrorsBy(rules: readonly ErrorRule[], logger: Logger): ReadError {
  const byClass = new Map<unknown, ErrorWords>(rules);
  // Several guards read an error. Its function is asked once.
  const read = oncePer((error: object) => {
    const words = wordsFor(error, byClass);
    if (words === undefined) return toolErrorOf(error);
    const text = words === 'show' ? (error as Error).message : ask(words, error as Error, logger);
    return typeof text === 'string' && text !== '' ? new ToolError(text, { cause: error }) : undefined;
  });
  return (error) => (typeof error === 'object' && error !== null ? read(error) : toolErrorOf(error));
}

/** The rule of the nearest class of an error. */
function wordsFor(error: object, byClass: ReadonlyMap<unknown, ErrorWords>): ErrorWords | undefined {
  for (let each: object | null = error; each; each = Object.getPrototypeOf(each) as object | null) {
    const { constructor } = each;
    const words = Object.hasOwn(each, 'constructor') ? byClass.get(constructor) : undefined;
    // What we throw ourselves is an Error, too, but no error of the application.
    if (words !== undefined) return isToolwrightError(error) && builtIn.has(constructor) ? undefined : words;
  }
  return undefined;
}

function ask(words: (error: Error) => unknown, error: Error, logger: Logger): unknown {
  const failed = (err: unknown) =>
    logger.error({ err }, 'A function of the option "errors" failed, so the caller gets the generic text.');
  try {
    const text = words(error);
    if (typeof text === 'string') return text;
    // Nobody awaits a promise of an async function, and its rejection would end the process.
    if (text instanceof Promise) text.catch(() => undefined);
    failed(
      new TypeError(`It returned ${text instanceof Promise ? 'a promise' : typeof text}, and not a text.`),
    );
  } catch (err) {
    failed(err);
  }
  return undefined;
}
