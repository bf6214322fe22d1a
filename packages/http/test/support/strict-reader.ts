import { stringsIn } from './foreign-texts.js';

/** Where Python's `splitlines` and other cutters of lines end a line. */
// eslint-disable-next-line no-control-regex -- naming them is the point
const ANY_LINE_END = /\r\n|[\n\r\v\f\u001c-\u001e\u0085\u2028\u2029]/;

/** Reads one message as the strictest readers do. @throws {Error} with what they would say */
export function readStrictly(json: string): unknown {
  const message: unknown = JSON.parse(json);
  for (const text of stringsIn(message))
    if (/\p{Cs}/u.test(text)) throw new Error(`Half a surrogate pair: ${JSON.stringify(text)}`);
  return message;
}

/** The messages of an event stream for a reader that cuts lines wherever Unicode has an end of a line. */
export function readEventsStrictly(stream: string): any[] {
  const messages: unknown[] = [];
  for (const line of stream.split(ANY_LINE_END)) {
    const [, field, value] = /^(\w*): ?(.*)$/s.exec(line) ?? [];
    if (line !== '' && field === undefined)
      throw new Error(`A line without a field: ${JSON.stringify(line)}`);
    if (field === 'data' && value!.startsWith('{')) messages.push(readStrictly(value!));
  }
  return messages;
}

/** The messages of a line-based channel for the same reader. */
export function readLinesStrictly(written: string): any[] {
  return written
    .split(ANY_LINE_END)
    .filter((line) => line !== '')
    .map(readStrictly);
}
