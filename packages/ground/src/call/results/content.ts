import { isObject, type Undeclared } from '@toolwright/json';
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
import { type BlockCloser, InvalidResultError } from './protocol-result.js';

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
  const parts = content === undefined ? undefined : ([content].flat() as readonly StructuredPart[]);
  const blocks = parts?.map((part) => (typeof part === 'string' ? text(part) : part));
  const made: Structured<T> = {
    structuredContent: value,
    ...(blocks && { content: blocks }),
    ...(meta && { _meta: meta }),
  };
  return Object.defineProperty(made, STRUCTURED, { value: true });
}

/** The members that an object may have. A member that is an object, or a list of objects, has a table of its own. */
interface Members {
  readonly [name: string]: true | Members;
}

/** Only `_meta` is open: the specification allows any member there. */
const block: Members = {
  type: true,
  annotations: { audience: true, priority: true, lastModified: true },
  _meta: true,
};
const bytes: Members = { ...block, data: true, mimeType: true };

/** The members of content blocks (schema of 2026-07-28, ContentBlock). */
const BLOCKS: Readonly<Record<ContentBlock['type'], Members>> = {
  text: { ...block, text: true },
  image: bytes,
  audio: bytes,
  resource_link: {
    ...block,
    uri: true,
    name: true,
    title: true,
    description: true,
    mimeType: true,
    size: true,
    icons: { src: true, mimeType: true, sizes: true, theme: true },
  },
  resource: { ...block, resource: { uri: true, mimeType: true, text: true, blob: true, _meta: true } },
};

/**
 * Makes the function that closes content blocks. A row of a database that became a block when `type` was
 * added must not be sent with all its columns. A block that loses nothing stays the same object.
 *
 * @throws {InvalidResultError} (the returned function) when undeclared members are refused
 */
export function blockCloser(undeclared: Undeclared): BlockCloser {
  if (undeclared === 'keep') return (blocks) => blocks as ContentBlock[];
  return (blocks) => {
    let closed: ContentBlock[] | undefined;
    for (const [index, each] of blocks.entries()) {
      // `structured` may have got a block of a kind that this version does not know.
      const members = Object.hasOwn(BLOCKS, each.type) ? BLOCKS[each.type] : undefined;
      const place = undeclared === 'refuse' ? `content[${index}]` : undefined;
      const kept = members ? close(each, members, place) : each;
      if (kept !== each) (closed ??= [...blocks])[index] = kept;
    }
    return closed ?? (blocks as ContentBlock[]);
  };
}

/** @param place present when undeclared members are refused */
function close<T extends object>(value: T, members: Members, place: string | undefined): T {
  let copy: Record<string, unknown> | undefined;
  for (const name of Object.keys(value)) {
    const known = Object.hasOwn(members, name) ? members[name] : undefined;
    if (known === true) continue;
    if (known === undefined) {
      if (place !== undefined)
        throw new InvalidResultError('content', `${place} has "${name}", which no such content has`);
      copy ??= pick(value, members);
    } else {
      const part = (value as Record<string, unknown>)[name];
      const closed = closeDeep(part, known, place && `${place}.${name}`);
      if (closed !== part) (copy ??= pick(value, members))[name] = closed;
    }
  }
  return (copy as T | undefined) ?? value;
}

function closeDeep(value: unknown, members: Members, place: string | undefined): unknown {
  if (isObject(value)) return close(value, members, place);
  if (!Array.isArray(value)) return value;
  const closed = value.map((each) => closeDeep(each, members, place));
  return closed.some((each, index) => each !== value[index]) ? closed : value;
}

/** Undeclared members are not read, so none of their getters runs. */
function pick(value: object, members: Members): Record<string, unknown> {
  const own = Object.keys(value).filter((name) => Object.hasOwn(members, name));
  return Object.fromEntries(own.map((name) => [name, (value as Record<string, unknown>)[name]]));
}
