import type { OptionSchema } from './options/option-schema.js';
import { durationFromZero, either, flag, group, listOf, oneOf, required, text } from './options/rules.js';
import type { Duration } from './options/option-schema.js';

/** Hints for programs and people that show or filter a content block or a resource. */
export interface ContentAnnotations {
  audience?: ('user' | 'assistant')[];
  /** From 0 (least important) to 1 (most important). */
  priority?: number;
  /** A time in ISO 8601. */
  lastModified?: string;
}

interface Block {
  annotations?: ContentAnnotations;
  _meta?: Record<string, unknown>;
}

export interface TextContent extends Block {
  type: 'text';
  text: string;
}

/** `data` is base64. */
export interface ImageContent extends Block {
  type: 'image';
  data: string;
  mimeType: string;
}

/** `data` is base64. */
export interface AudioContent extends Block {
  type: 'audio';
  data: string;
  mimeType: string;
}

export interface Icon {
  src: string;
  mimeType?: string;
  sizes?: string[];
  theme?: 'light' | 'dark';
}

/** A link to a resource that the client may read later. */
export interface ResourceLink extends Block {
  type: 'resource_link';
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  size?: number;
  icons?: Icon[];
}

/** The contents of a resource: either `text`, or `blob` as base64. */
export interface ResourceContents {
  uri: string;
  mimeType?: string;
  text?: string;
  blob?: string;
  _meta?: Record<string, unknown>;
}

/** The contents of a resource inside a result. */
export interface EmbeddedResource extends Block {
  type: 'resource';
  resource: ResourceContents;
}

export type ContentBlock = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource;

/** Hints about what a tool does. They are published exactly as you write them. Clients do not trust them. */
export interface ToolAnnotations {
  title?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}

/** Whether a tool says that calling it twice does no more than calling it once. */
export function isHarmlessTwice({
  readOnlyHint,
  idempotentHint,
}: Pick<ToolAnnotations, 'readOnlyHint' | 'idempotentHint'>): boolean {
  return readOnlyHint === true || idempotentHint === true;
}

/**
 * The result of a tool call, in the form of the newest revision. Older revisions get a narrower form of it.
 */
export interface ToolResult {
  content: ContentBlock[];
  /** Any JSON value. Present when the tool has an output schema and did not fail. */
  structuredContent?: unknown;
  isError?: boolean;
  _meta?: Record<string, unknown>;
}

export interface PromptMessage {
  role: 'user' | 'assistant';
  content: ContentBlock;
}

export interface PromptResult {
  description?: string;
  messages: PromptMessage[];
  /**
   * Always `undefined`, as `content` and `structuredContent`: only tool results have them. They are declared so that
   * code may read them from any kind of result.
   */
  isError?: undefined;
  content?: undefined;
  structuredContent?: undefined;
  _meta?: Record<string, unknown>;
}

export interface ResourceResult {
  contents: ResourceContents[];
  /**
   * Always `undefined`, as `content` and `structuredContent`: only tool results have them. They are declared so that
   * code may read them from any kind of result.
   */
  isError?: undefined;
  content?: undefined;
  structuredContent?: undefined;
  _meta?: Record<string, unknown>;
}

/**
 * How long a client may keep what it read, and who may share it (2026-07-28, server/utilities/caching). It is
 * a hint and not a guarantee.
 */
export interface ResourceCaching {
  /** How long a client may keep it. 0: not at all. */
  ttl: Duration;
  /**
   * `public`: the content is the same for every caller, so proxies may share it. Default `private`. It is
   * always `private` where the server decides by caller who may use what.
   */
  scope?: 'public' | 'private';
}

const amongTexts = listOf('a list of strings', text);

const iconOptions = {
  src: required(text),
  mimeType: text,
  sizes: either(amongTexts, text),
  theme: oneOf('light', 'dark'),
} satisfies OptionSchema<Icon>;

export const icons = listOf('a list of icons', group(iconOptions));

export const contentAnnotationOptions = {
  audience: listOf("a list of 'user' and 'assistant'", oneOf('user', 'assistant')),
  priority: {
    expected: 'a number from 0 to 1',
    accepts: (value: unknown) => typeof value === 'number' && value >= 0 && value <= 1,
  },
  lastModified: text,
} satisfies OptionSchema<ContentAnnotations>;

export const toolAnnotationOptions = {
  title: text,
  readOnlyHint: flag,
  destructiveHint: flag,
  idempotentHint: flag,
  openWorldHint: flag,
} satisfies OptionSchema<ToolAnnotations>;

export const cachingOptions = {
  ttl: required(durationFromZero),
  scope: oneOf('public', 'private'),
} satisfies OptionSchema<ResourceCaching>;
