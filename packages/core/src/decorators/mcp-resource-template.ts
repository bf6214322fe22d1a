import type { OptionSchema } from '../base/options/option-schema.js';
import { mcpResourceOptions, type McpResourceOptions } from './mcp-resource.js';
import { recording, type ClassOrMethodDecorator } from './recording.js';

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
