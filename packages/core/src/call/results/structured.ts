import type { ContentBlock } from '../../base/content/content.js';
import { text } from './content.js';

/** Marks the objects that `structured` makes, in this copy of the package and in others. */
export const STRUCTURED = Symbol.for('toolwright.structured');

/**
 * A result with two parts that you write yourself: the data that clients read, and the content that a model
 * reads. `structured` makes it. The output schema of a tool that returns it is the schema of `T`.
 */
export interface Structured<T> {
  readonly structuredContent: T;
  /** The content for the model. Default: the data as JSON. */
  readonly content?: readonly ContentBlock[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** What the model reads beside the structured content: text, a content block, or several of them. */
export type StructuredText = StructuredPart | readonly StructuredPart[];

/** A string becomes a text block. */
export type StructuredPart = string | ContentBlock;

/**
 * Makes a result with structured content **and** with text, images, links or other content of its own.
 *
 * @param value becomes `structuredContent`; its type is the tool's output schema
 * @param content what the model reads; default: the value as JSON
 * @param options.meta becomes the result's `_meta`
 * @example
 * forecast(city: string) {
 *   const days = this.weather.week(city);
 *   return structured({ city, days }, `${city}: ${days[0].sky}, ${days[0].high} °C.`);
 * }
 */
export function structured<T>(
  value: T,
  content?: StructuredText,
  { meta }: { meta?: Record<string, unknown> } = {},
): Structured<T> {
  const blocks = content === undefined ? undefined : toBlocks(content);
  const made: Structured<T> = {
    structuredContent: value,
    ...(blocks && { content: blocks }),
    ...(meta && { _meta: meta }),
  };
  return Object.defineProperty(made, STRUCTURED, { value: true });
}

function toBlocks(content: StructuredText): readonly ContentBlock[] {
  const parts = Array.isArray(content) ? (content as readonly StructuredPart[]) : [content];
  return parts.map((part) => (typeof part === 'string' ? text(part) : (part as ContentBlock)));
}
