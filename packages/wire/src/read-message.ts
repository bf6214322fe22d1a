import { definitionWithoutLongIntegers, hasLongDigits, quoteLongIntegers, readJson } from '@toolwright/json';

/** The parts of a result, or of an error, that are values of the server. */
const VALUES = ['structuredContent', '_meta', 'content', 'contents', 'messages', 'data'] as const;

/**
 * JSON.parse of a message of a server, but its values have a string of digits in place of each integer that a double would
 * change. The writer of results makes numbers of them again where an output schema says so. In schemas of tools, such integers
 * are bounds, and a bound cannot be a text: they are rounded. Integers that are values of arguments are left out there.
 *
 * @param integers `numbers`: each such value is a `LongInteger`, which `writeJson` writes as a number
 * @throws {SyntaxError} for text that is not JSON
 */
export function readMessage(text: string, integers: 'texts' | 'numbers' = 'texts'): unknown {
  const message = JSON.parse(text) as unknown;
  if (!hasLongDigits(text)) return message;
  takeValues(message, integers === 'numbers' ? readJson(text) : JSON.parse(quoteLongIntegers(text)));
  takeTools(message, readJson(text));
  return message;
}

/** The result of a call, alone or in a batch, or inside of a task that has ended. */
function takeValues(message: unknown, exact: unknown): void {
  if (typeof message !== 'object' || message === null) return;
  if (Array.isArray(message)) {
    message.forEach((each, index) => takeValues(each, (exact as unknown[])[index]));
    return;
  }
  const given = exact as Record<string, unknown>;
  for (const name of VALUES) if (given[name] !== undefined) Object.assign(message, { [name]: given[name] });
  for (const name of ['result', 'error']) takeValues((message as Record<string, unknown>)[name], given[name]);
}

function takeTools(message: unknown, exact: unknown): void {
  if (Array.isArray(message)) {
    message.forEach((each, index) => takeTools(each, (exact as unknown[])[index]));
    return;
  }
  const { result } = (exact ?? {}) as { result?: { tools?: unknown } | null };
  if (Array.isArray(result?.tools))
    (message as { result: object }).result = {
      ...(message as { result: object }).result,
      tools: result.tools.map(definitionWithoutLongIntegers),
    };
}
