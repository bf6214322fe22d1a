import type {
  AudioContent,
  ContentAnnotations,
  ContentBlock,
  EmbeddedResource,
  ImageContent,
  ResourceContents,
  ResourceLink,
  TextContent,
} from '../../base/content.js';

/**
 * Marks the objects that the functions below make. When a method returns one, it means content, and not data.
 */
export const CONTENT = Symbol.for('toolwright.content');

function content<B extends ContentBlock>(block: B): B {
  return Object.defineProperty(block, CONTENT, { value: true });
}

export interface ContentOptions {
  annotations?: ContentAnnotations;
  _meta?: Record<string, unknown>;
}

/**
 * Makes a text block for the model. A string that a tool returns becomes the same block. Use this function to
 * add annotations, or to put text into an array of blocks.
 */
export function text(value: string, options: ContentOptions = {}): TextContent {
  return content({ type: 'text', text: value, ...options });
}

/**
 * Makes an image block.
 *
 * @param data the image's bytes, or base64 text
 */
export function image(
  data: Uint8Array | string,
  mimeType: string,
  options: ContentOptions = {},
): ImageContent {
  return content({ type: 'image', data: toBase64(data), mimeType, ...options });
}

/**
 * Makes a sound block.
 *
 * @param data the sound's bytes, or base64 text
 */
export function audio(
  data: Uint8Array | string,
  mimeType: string,
  options: ContentOptions = {},
): AudioContent {
  return content({ type: 'audio', data: toBase64(data), mimeType, ...options });
}

/** Makes a link to a resource that the client may read. */
export function resourceLink(link: Omit<ResourceLink, 'type'>): ResourceLink {
  return content({ type: 'resource_link', ...link });
}

/**
 * Makes a block that carries the contents of a resource inside the result. `blob` may be bytes or base64
 * text.
 */
export function embedded(
  resource: Omit<ResourceContents, 'blob'> & { blob?: Uint8Array | string },
  options: ContentOptions = {},
): EmbeddedResource {
  const { blob, ...rest } = resource;
  const contents = blob === undefined ? rest : { ...rest, blob: toBase64(blob) };
  return content({ type: 'resource', resource: contents, ...options });
}

export function toBase64(data: Uint8Array | string): string {
  return typeof data === 'string'
    ? data
    : Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64');
}

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
