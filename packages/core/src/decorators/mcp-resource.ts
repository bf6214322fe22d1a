import { type AppSettings, appSettingsOptions } from '@toolwright/ground/base/app-settings';
import {
  type ContentAnnotations,
  type Icon,
  type ResourceCaching,
  cachingOptions,
  contentAnnotationOptions,
  icons,
} from '@toolwright/ground/base/content';
import type { OptionSchema } from '@toolwright/ground/base/options/option-schema';
import { count, group, jsonObject, named, required, text } from '@toolwright/ground/base/options/rules';
import { type ClassOrMethodDecorator, recording } from './recording.js';

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
  meta: jsonObject,
};

/** Whether it can be used is found later, together with other problems of what is published. */
const uri = required(text);

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

export interface McpResourceTemplateOptions extends Omit<McpResourceOptions, 'uri' | 'size'> {
  /** A template of RFC 6570. Each of its variables is a parameter of the method with the same name. */
  uriTemplate: string;
}

const { uri: uriTemplate, size: _size, ...shared } = mcpResourceOptions;

export const mcpResourceTemplateOptions = {
  ...shared,
  uriTemplate,
} satisfies OptionSchema<McpResourceTemplateOptions>;

/**
 * Makes a method the reader of all resources whose URI fits a template. The method returns `undefined` when
 * there is no such resource. On a class, the `invoke` method is the reader. See server/resources of the
 * specification.
 *
 * @example
 * @McpResourceTemplate({ uriTemplate: 'page://{id}', mimeType: 'text/markdown' }) page(id: string):
 * Promise<string | undefined> { … }
 */
export function McpResourceTemplate(options: McpResourceTemplateOptions): ClassOrMethodDecorator {
  return recording(
    { kind: 'resourceTemplate', options, schema: mcpResourceTemplateOptions },
    McpResourceTemplate,
  );
}

/** The options of a resource, and how a host shows its page. */
export interface McpAppOptions extends Omit<McpResourceOptions, 'mimeType'>, AppSettings {
  /** Starts with `ui://` and is unique in the server. `@McpTool({ ui })` names it. */
  uri: string;
}

const { mimeType: _mimeType, ...page } = mcpResourceOptions;

export const mcpAppOptions = { ...page, ...appSettingsOptions } satisfies OptionSchema<McpAppOptions>;

type PageMethod = (...args: never[]) => string | Promise<string>;

/** A decorator for a method that returns a page. */
export interface AppMethodDecorator {
  <M extends PageMethod>(target: object, key: string | symbol, descriptor: TypedPropertyDescriptor<M>): void;
  <M extends PageMethod>(value: M, context: ClassMethodDecoratorContext): void;
}

/**
 * Makes a method the source of an MCP App. The app is a page (a whole HTML5 document) that a host shows in a
 * sandboxed frame, together with the results of the tools that name it in `ui`. The server serves it as a
 * resource with the type `text/html;profile=mcp-app`. See the extension `io.modelcontextprotocol/ui`,
 * revision 2026-01-26.
 *
 * @example
 * @McpApp({ uri: 'ui://weather/chart', prefersBorder: true }) chart(): string { return '<!doctype html>…'; }
 */
export function McpApp(options: McpAppOptions): AppMethodDecorator {
  return recording({ kind: 'app', options, schema: mcpAppOptions }, McpApp);
}
