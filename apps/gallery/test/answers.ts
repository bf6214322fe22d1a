import type { CalledTool } from '../../pages/test/referees.js';

/** What a model reads of a result. */
export function textOf({ content }: CalledTool): string {
  return content.map(({ text }) => text ?? '').join('\n');
}

/** Expects a result that says what was wrong, with no data in it, and gives the text. */
export function refusalOf(result: CalledTool): string {
  expect(result.isError).toBe(true);
  expect(result.structuredContent).toBeUndefined();
  return textOf(result);
}
