import type { ContentBlock, ResourceContents } from '@toolwright/ground/base/content';
import { contentText, structuredText } from '@toolwright/ground/call/results/shape-tool-result';
import type { TaskRecord } from '@toolwright/ground/ports/task-store';
import { writeJson } from '@toolwright/json';
import { asObjectSchema, describeServer, describeTool, narrowAnnotations } from './definitions.js';
import { type JsonObject, isJsonObject, metaKeys } from './json-rpc.js';
import { MethodNames, writeQuestions } from './methods.js';
import type { Codec, CodecSetup, Features, RevisionRecord } from './revision-record.js';

/** The codec of stateless revisions. Every result names its type and, in `_meta`, the server. */
export function createStatelessCodec(
  { version, features, renamed }: RevisionRecord,
  { info, publish }: CodecSetup,
): Codec {
  const self = { [metaKeys.serverInfo]: describeServer(info, features) };
  // It is part of every result, so it is written once.
  const opening = `{"resultType":"complete","_meta":${JSON.stringify(self)}`;
  const withMeta = (meta: JsonObject | undefined) =>
    meta ? `{"resultType":"complete","_meta":${writeJson({ ...meta, ...self })}` : opening;

  const names = renamed && new MethodNames(renamed);
  const describe = (task: TaskRecord) => describeTask(task, names);
  return {
    era: 'stateless',
    revision: version,
    features,
    names,
    tool: (tool) => describeTool(tool, features, publish(tool)),
    toolResult(result, _tool, written) {
      const { content, isError, _meta } = result;
      const structured = structuredText(result);
      let text = `${withMeta(_meta)},"content":${contentText(content, written, isError)}`;
      if (structured !== undefined) text += `,"structuredContent":${structured}`;
      return isError ? `${text},"isError":true}` : `${text}}`;
    },
    task: describe,
    taskResult: (task) => writeJson({ resultType: 'task', ...describe(task), _meta: self }),
    promptResult({ description, messages, _meta }) {
      return `${withMeta(_meta)},${writeJson({ description, messages }).slice(1)}`;
    },
    resourceResult({ contents, _meta }, hints) {
      return `${withMeta(_meta)},${writeJson({ contents, ...hints }).slice(1)}`;
    },
    result({ resultType = 'complete', _meta, ...body }, hints) {
      return writeJson({
        resultType,
        ...body,
        ...hints,
        _meta: { ...(_meta as JsonObject | undefined), ...self },
      });
    },
    serverInfo: () => self[metaKeys.serverInfo] as JsonObject,
    notification: (_method, params) => params,
  };
}

/** A task as clients see it: `DetailedTask` of the extension, flat. */
function describeTask(task: TaskRecord, names: MethodNames | undefined): JsonObject {
  const { id, status, statusMessage, createdAt, updatedAt, ttlMs, pollIntervalMs, questions, ending } = task;
  return {
    taskId: id,
    status,
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(updatedAt).toISOString(),
    ttlMs,
    pollIntervalMs,
    ...(status === 'input_required' && { inputRequests: writeQuestions(names, Object.entries(questions)) }),
    ...(ending?.status === 'completed' && { result: ending.result }),
    ...(ending?.status === 'failed' && { error: ending.error }),
  };
}

/**
 * The codec of revisions that start with `initialize`. It writes the same results, without the fields that these
 * revisions do not have.
 */
export function createStatefulCodec(
  { version, features, renamed }: RevisionRecord,
  { publish }: CodecSetup,
): Codec {
  const narrow = (block: ContentBlock) => narrowContent(block, features) as ContentBlock;

  return {
    era: 'stateful',
    revision: version,
    features,
    names: renamed && new MethodNames(renamed),
    tool(tool) {
      const { input, output } = publish(tool);
      return describeTool(tool, features, { input, output: asObjectSchema(output, tool.wrapOutput) });
    },
    toolResult(result, tool, written) {
      const { content, isError, _meta } = result;
      const structured = features.structuredContent ? structuredText(result) : undefined;
      const meta = withoutServer(_meta);
      let text = `{${meta ? `"_meta":${writeJson(meta)},` : ''}"content":${contentText(content.map(narrow), written, isError)}`;
      if (structured !== undefined) {
        const isObject = !tool.wrapOutput && structured.startsWith('{');
        text += `,"structuredContent":${isObject ? structured : `{"result":${structured}}`}`;
      }
      return isError ? `${text},"isError":true}` : `${text}}`;
    },
    task: describeRequestedTask,
    taskResult: (task) => writeJson({ task: describeRequestedTask(task) }),
    promptResult({ description, messages, _meta }) {
      const narrowed = messages.map(({ role, content }) => ({ role, content: narrow(content) }));
      return writeJson({ _meta: withoutServer(_meta), description, messages: narrowed });
    },
    resourceResult({ contents, _meta }) {
      return writeJson({
        _meta: withoutServer(_meta),
        contents: contents.map((item) => narrowContents(item, features)),
      });
    },
    result: (body) => writeJson(body),
    serverInfo: (info) => describeServer(info, features),
    notification(method, params) {
      if (method !== 'notifications/progress' || features.progressMessage) return params;
      const { message: _message, ...rest } = params;
      return rest;
    },
  };
}

/** A result of another server names that server (2026-07-28). Clients would take it for the name of this one. */
function withoutServer(meta: JsonObject | undefined): JsonObject | undefined {
  if (!meta || !Object.hasOwn(meta, metaKeys.serverInfo)) return meta;
  const { [metaKeys.serverInfo]: _, ...others } = meta;
  return Object.keys(others).length > 0 ? others : undefined;
}

function narrowContent(block: ContentBlock, features: Features): ContentBlock | JsonObject {
  if (block.type === 'audio' && !features.audio) {
    return { type: 'text', text: `[${block.mimeType} audio, which this protocol revision cannot carry]` };
  }
  if (block.type === 'resource_link') {
    if (!features.resourceLinks) return { type: 'text', text: `${block.title ?? block.name}: ${block.uri}` };
    if (!features.icons && block.icons) {
      const { icons: _icons, ...rest } = block;
      return narrowBlock(rest, features);
    }
  }
  if (block.type === 'resource') {
    return narrowBlock({ ...block, resource: narrowContents(block.resource, features) }, features);
  }
  return narrowBlock(block, features);
}

/** Before 2025-06-18 there is neither `_meta` on blocks nor `lastModified`. */
function narrowBlock(block: ContentBlock | JsonObject, features: Features): ContentBlock | JsonObject {
  if (features.titles || (!block._meta && !block.annotations)) return block;
  const { _meta, annotations, ...rest } = block;
  if (!isJsonObject(annotations)) return rest;
  return { ...rest, annotations: narrowAnnotations(annotations, features) };
}

function narrowContents(contents: ResourceContents, features: Features): ResourceContents {
  if (features.titles || !contents._meta) return contents;
  const { _meta, ...rest } = contents;
  return rest;
}

/** A task as clients of 2025-11-25 see it: without its questions and its result, which `tasks/result` brings. */
function describeRequestedTask(task: TaskRecord): JsonObject {
  const { id, status, createdAt, updatedAt, ttlMs, pollIntervalMs, ending } = task;
  const hasFailed = ending?.status === 'completed' && ending.result['isError'] === true;
  const statusMessage = ending?.status === 'failed' ? ending.error.message : task.statusMessage;
  return {
    taskId: id,
    // A result for the model that tells an error counts as a failure there (Task Status).
    status: hasFailed ? 'failed' : status,
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(updatedAt).toISOString(),
    ttl: ttlMs,
    pollInterval: pollIntervalMs,
  };
}
