import type { ResourceCaching } from '../base/content/resource-caching.js';
import type { ContentAnnotations, Icon } from '../base/content/content.js';
import { cachingOptions, contentAnnotationOptions, icons } from '../base/options/content-options.js';
import type { OptionSchema } from '../base/options/option-schema.js';
import { anyObject, anything, count, group, named, text } from '../base/options/rules.js';
import { recording, type ClassOrMethodDecorator } from './recording.js';

export interface McpResourceOptions {
  /** An absolute URI (RFC 3986), unique in the server. */
  uri: string;
  /** Default: the method's name. */
  name?: string;
  title?: string;
  /** Default: the method's doc comment. */
  description?: string;
  /**
   * Default: `text/plain` for a string, `application/octet-stream` for bytes, `application/json` for anything
   * else.
   */
  mimeType?: string;
  /** The size of the raw content in bytes, if it is known. */
  size?: number;
  annotations?: ContentAnnotations;
  /** How long clients may keep what they read. Default: they read it again each time. */
  cache?: ResourceCaching;
  icons?: Icon[];
  /** Published as `_meta`. */
  meta?: Record<string, unknown>;
}

const described = {
  name: text,
  title: text,
  description: text,
  annotations: group(contentAnnotationOptions),
  cache: group(cachingOptions),
  icons,
  meta: anyObject,
};

/** A URI that cannot be used is reported later, together with other problems of what is published. */
export const uri = { ...anything, required: true } as const;

export const mcpResourceOptions = {
  ...described,
  uri,
  mimeType: text,
  size: named('a number of bytes', count),
} satisfies OptionSchema<McpResourceOptions>;

/**
 * Makes a method the reader of one resource. On a class, the `invoke` method is the reader. See
 * server/resources of the specification.
 *
 * @example
 * @McpResource({ uri: 'config://app', mimeType: 'application/json' }) config(): AppConfig { return
 * this.settings; }
 */
export function McpResource(options: McpResourceOptions): ClassOrMethodDecorator {
  return recording({ kind: 'resource', options, schema: mcpResourceOptions }, McpResource);
}
