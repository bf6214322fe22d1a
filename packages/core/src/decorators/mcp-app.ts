import type { OptionSchema } from '../base/options/option-schema.js';
import { appSettingsOptions, type AppSettings } from '../base/app/app-settings.js';
import { mcpResourceOptions, type McpResourceOptions } from './mcp-resource.js';
import { recording } from './recording.js';

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
