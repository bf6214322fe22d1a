import type { ContentBlock } from '../../base/content/content.js';
import { text } from './content.js';

/** Marks what `structured` made. */
const STRUCTURED = Symbol.for('toolwright.structured');

/**
 * A result of which you write both parts: the data that clients read, and the content that a model reads. Made by
 * `structured`; the output schema of a tool that returns it is the schema of `T`.
 */
export interface Structured<T> {
  readonly structuredContent: T;
  /** Absent: the data as JSON. */
  readonly content?: readonly ContentBlock[];
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** What a model is shown beside structured content: text, content blocks, or several of them. */
export type StructuredText = StructuredPart | readonly StructuredPart[];

/** A string stands for a text block. */
export type StructuredPart = string | ContentBlock;

/**
 * A result with structured content **and** text of its own, or images, links and other content.
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

/** True for what `structured` made, with this copy of the package or another. */
export function isStructured(value: unknown): value is Structured<unknown> {
  return typeof value === 'object' && value !== null && STRUCTURED in value;
}

function toBlocks(content: StructuredText): readonly ContentBlock[] {
  const parts = Array.isArray(content) ? (content as readonly StructuredPart[]) : [content];
  return parts.map((part) => (typeof part === 'string' ? text(part) : (part as ContentBlock)));
}
