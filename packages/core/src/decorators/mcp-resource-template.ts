import type { McpResourceOptions } from './mcp-resource.js';
import { recording, type ClassOrMethodDecorator } from './recording.js';

export interface McpResourceTemplateOptions extends Omit<McpResourceOptions, 'uri' | 'size'> {
  /** RFC 6570 template; its variables are parameters of the method, by name. */
  uriTemplate: string;
}

/**
 * Makes a method the reader of all resources whose URI fits a template; it returns `undefined` where there is no such
 * resource. On a class, its `invoke` method. See
 * server/resources of the specification.
 *
 * @example
 * @McpResourceTemplate({ uriTemplate: 'page://{id}', mimeType: 'text/markdown' })
 * page(id: string): Promise<string | undefined> { … }
 */
export function McpResourceTemplate(options: McpResourceTemplateOptions): ClassOrMethodDecorator {
  return recording({ kind: 'resourceTemplate', options }, McpResourceTemplate);
}
