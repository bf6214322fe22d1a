import { writeJson } from '@toolwright/core/transport';
import { isObject } from '@toolwright/json';

/**
 * How many bytes of a result a model reads: texts as they are, without the JSON around them. Data and text mostly repeat each
 * other, and hosts show one of the two, so that the larger counts, as for `@MaxOutput`.
 *
 * @returns `undefined` for anything but a result of a tool
 */
export function readableBytes(result: unknown): number | undefined {
  if (!isObject(result) || !Array.isArray(result['content'])) return undefined;
  const { content, structuredContent } = result;
  const carried = (content as unknown[]).reduce<number>((sum, block) => sum + bytesOf(block), 0);
  return structuredContent === undefined ? carried : Math.max(carried, bytesOfJson(structuredContent));
}

function bytesOf(block: unknown): number {
  if (!isObject(block)) return bytesOfJson(block);
  const { type, text, data } = block;
  if (type === 'text' && typeof text === 'string') return Buffer.byteLength(text);
  return typeof data === 'string' ? data.length : bytesOfJson(block);
}

function bytesOfJson(value: unknown): number {
  try {
    return Buffer.byteLength(writeJson(value));
  } catch {
    return 0;
  }
}
