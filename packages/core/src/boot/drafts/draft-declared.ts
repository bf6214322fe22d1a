import { schemaOf, type JsonSchema, type Manifest, type ManifestEntry } from '@toolwright/manifest';
import type { McpAppOptions } from '../../decorators/mcp-app.js';
import type { McpResourceTemplateOptions } from '../../decorators/mcp-resource-template.js';
import type { McpToolOptions } from '../../decorators/mcp-tool.js';
import type { AnyDraft } from '../../call/operation/draft.js';
import { settingsOf } from './draft-app.js';
import { describe } from './draft-base.js';
import { definePrompt, defineResource, defineResourceTemplate, defineTool } from './draft-definition.js';
import { promptArguments } from './draft-prompt.js';
import type { OperationKind } from '../services/service.js';

/** What the source says about an operation, without running it. */
export interface DeclaredOperation {
  /** The `ManifestEntry.key` of its method. */
  readonly key: string;
  readonly kind: OperationKind;
  /** The published name. Left out when it is only known at run time. */
  readonly name?: string;
  /** The constant options of the decorator. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The names of the options that are not constant; `any` when not even the names are known. */
  readonly computed: readonly string[] | 'any';
  /** The other decorators of core with constant arguments, by the names under which core exports them. */
  readonly policies?: readonly { readonly decorator: string; readonly arguments: readonly unknown[] }[];
}

/**
 * Makes a draft of an operation from what its source says.
 *
 * @param declared the operation; its options must have the right types
 * @returns undefined for a resource whose URI is only known at run time
 */
export function draftDeclared(
  declared: DeclaredOperation,
  entry: ManifestEntry,
  manifest: Manifest,
): AnyDraft | undefined {
  const { kind, options } = declared;
  const description = describe(options, entry);
  const common = {
    ...options,
    name: declared.name ?? entry.method,
    ...(description !== undefined && { description }),
    handler: () => undefined,
  };
  const input = schemaOf(manifest, entry.input)!;
  const { uri, uriTemplate } = options as Partial<McpAppOptions & McpResourceTemplateOptions>;
  switch (kind) {
    case 'tool':
      return defineTool({
        ...outputOf(declared, schemaOf(manifest, entry.output ?? '')),
        ...common,
        inputSchema: input,
      });
    case 'prompt':
      return definePrompt({ ...common, arguments: promptArguments(input) });
    case 'resource':
      return uri === undefined ? undefined : defineResource({ ...common, uri });
    case 'app':
      return uri === undefined ? undefined : defineResource({ ...common, uri, ui: settingsOf(options) });
    case 'resourceTemplate':
      return uriTemplate === undefined ? undefined : defineResourceTemplate({ ...common, uriTemplate });
  }
}

/** The schema of the method's result, unless an option may replace it. */
function outputOf({ computed }: DeclaredOperation, outputSchema: JsonSchema | undefined): McpToolOptions {
  return !outputSchema || computed === 'any' || computed.includes('outputSchema') ? {} : { outputSchema };
}
