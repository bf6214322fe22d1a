import type { McpResourceOptions } from '../../decorators/mcp-resource.js';
import type { McpResourceTemplateOptions } from '../../decorators/mcp-resource-template.js';
import type { DecoratorRecord } from '../../base/metadata/store.js';
import type { ResourceDraft, ResourceTemplateDraft } from '../../call/operation/draft.js';
import type { BoundMethod } from '../services/bound-service.js';
import { bindCompletions, type CompletionResolver } from './completions.js';
import { draftBase } from './draft-base.js';

/** The resource that a decorated method reads. */
export function draftResource(
  source: BoundMethod,
  record: DecoratorRecord<McpResourceOptions>,
): ResourceDraft {
  const { uri, size } = record.options;
  return { kind: 'resource', ...readable(source, record), uri, ...(size !== undefined && { size }) };
}

/** The resource template that a decorated method reads. */
export function draftResourceTemplate(
  source: BoundMethod,
  record: DecoratorRecord<McpResourceTemplateOptions>,
  resolve: CompletionResolver,
): ResourceTemplateDraft {
  const { uriTemplate } = record.options;
  const { input: inputSchema } = source;
  const complete = bindCompletions(source, resolve);
  return {
    kind: 'resourceTemplate',
    ...readable(source, record),
    uriTemplate,
    complete,
    ...(inputSchema && { inputSchema }),
  };
}

function readable(
  source: BoundMethod,
  record: DecoratorRecord<McpResourceOptions | McpResourceTemplateOptions>,
) {
  const { mimeType, cache, annotations = {} } = record.options;
  return {
    ...draftBase(source, record),
    annotations,
    ...(mimeType !== undefined && { mimeType }),
    ...(cache && { cache }),
  };
}
