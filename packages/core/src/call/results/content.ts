import type {
  AudioContent,
  ContentAnnotations,
  ContentBlock,
  EmbeddedResource,
  ImageContent,
  ResourceContents,
  ResourceLink,
  TextContent,
} from '../../base/content/content.js';

/** Marks what the helpers below made: a method that returns one means content, not a value. */
const CONTENT = Symbol.for('toolwright.content');

function content<B extends ContentBlock>(block: B): B {
  return Object.defineProperty(block, CONTENT, { value: true });
}

export interface ContentOptions {
  annotations?: ContentAnnotations;
  _meta?: Record<string, unknown>;
}

/** Text for the model. A plain string that a tool returns becomes the same; use this for annotations or in arrays. */
export function text(value: string, options: ContentOptions = {}): TextContent {
  return content({ type: 'text', text: value, ...options });
}

/** @param data the image's bytes, or base64 */
export function image(
  data: Uint8Array | string,
  mimeType: string,
  options: ContentOptions = {},
): ImageContent {
  return content({ type: 'image', data: toBase64(data), mimeType, ...options });
}

/** @param data the sound's bytes, or base64 */
export function audio(
  data: Uint8Array | string,
  mimeType: string,
  options: ContentOptions = {},
): AudioContent {
  return content({ type: 'audio', data: toBase64(data), mimeType, ...options });
}

/** Points the client to a resource that it may read. */
export function resourceLink(link: Omit<ResourceLink, 'type'>): ResourceLink {
  return content({ type: 'resource_link', ...link });
}

/** Carries a resource's contents inside of the result. `blob` may be bytes or base64. */
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

/** True for what a helper of this file made. */
export function isMarkedContent(value: unknown): value is ContentBlock {
  return typeof value === 'object' && value !== null && CONTENT in value;
}
