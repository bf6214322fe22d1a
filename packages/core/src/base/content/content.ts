/** Hints for whoever shows or filters a content block or resource. */
export interface ContentAnnotations {
  audience?: ('user' | 'assistant')[];
  /** 0 (least) to 1 (most important). */
  priority?: number;
  /** ISO 8601. */
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

/** A pointer to a resource that the client may read later. */
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

/** What a resource read gives: either `text` or base64 `blob`. */
export interface ResourceContents {
  uri: string;
  mimeType?: string;
  text?: string;
  blob?: string;
  _meta?: Record<string, unknown>;
}

/** A resource's contents carried inside a result. */
export interface EmbeddedResource extends Block {
  type: 'resource';
  resource: ResourceContents;
}

export type ContentBlock = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource;

/** Hints about what a tool does; published exactly as written, never trusted by a client. */
export interface ToolAnnotations {
  title?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}

/** What calling a tool gives, in the newest revision's form; older codecs narrow it. */
export interface ToolResult {
  content: ContentBlock[];
  /** Present when the tool has an output schema and did not fail. Any JSON value. */
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
  /** A tool's alone: never there. So that whoever has any result may ask it. */
  isError?: undefined;
  _meta?: Record<string, unknown>;
}

export interface ResourceResult {
  contents: ResourceContents[];
  /** A tool's alone: never there. So that whoever has any result may ask it. */
  isError?: undefined;
  _meta?: Record<string, unknown>;
}
