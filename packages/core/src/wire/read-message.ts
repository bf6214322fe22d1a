import { quoteLongIntegers } from '@toolwright/json';

/**
 * JSON.parse of a message of a server, but structured content has a string of digits in place of each integer that a double
 * would change. The writer of results makes numbers of them again where an output schema says so. Other parts of messages
 * are rounded: schemas in lists have such integers as bounds, and a bound cannot be a text.
 *
 * @throws {SyntaxError} for text that is not JSON
 */
export function readMessage(text: string): unknown {
  const message = JSON.parse(text) as unknown;
  const quoted = quoteLongIntegers(text);
  if (quoted !== text) takeStructured(message, JSON.parse(quoted));
  return message;
}

/** The result of a call, alone or in a batch, or inside of a task that has ended. */
function takeStructured(message: unknown, exact: unknown): void {
  if (typeof message !== 'object' || message === null) return;
  const { structuredContent, result } = exact as { structuredContent?: unknown; result?: unknown };
  if (structuredContent !== undefined) Object.assign(message, { structuredContent });
  if (Array.isArray(message))
    message.forEach((each, index) => takeStructured(each, (exact as unknown[])[index]));
  else takeStructured((message as { result?: unknown }).result, result);
}
