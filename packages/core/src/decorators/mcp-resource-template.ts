import type { OptionSchema } from '../base/options/option-schema.js';
import { mcpResourceOptions, uri as uriTemplate, type McpResourceOptions } from './mcp-resource.js';
import { recording, type ClassOrMethodDecorator } from './recording.js';

export interface McpResourceTemplateOptions extends Omit<McpResourceOptions, 'uri' | 'size'> {
  /** RFC 6570 template; its variables are parameters of the method, by name. */
  uriTemplate: string;
}

const { uri: _uri, size: _size, ...shared } = mcpResourceOptions;

export const mcpResourceTemplateOptions = {
  ...shared,
  uriTemplate,
} satisfies OptionSchema<McpResourceTemplateOptions>;

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
  return recording(
    { kind: 'resourceTemplate', options, schema: mcpResourceTemplateOptions },
    McpResourceTemplate,
  );
}
