import { structuredText } from '../call/results/written-result.js';
import type { TaskRecord } from '../ports/task-store.js';
import { describeServer, describeTool } from './definitions.js';
import { type JsonObject, metaKeys } from './json-rpc.js';
import type { Codec, CodecSetup, RevisionRecord } from './revision-record.js';

/** The codec of stateless revisions. Every result names its type and, in `_meta`, the server. */
export function createStatelessCodec(
  { version, features }: RevisionRecord,
  { info, publish }: CodecSetup,
): Codec {
  const self = { [metaKeys.serverInfo]: describeServer(info, features) };
  // It is part of every result, so it is written once.
  const opening = `{"resultType":"complete","_meta":${JSON.stringify(self)}`;
  const withMeta = (meta: JsonObject | undefined) =>
    meta ? `{"resultType":"complete","_meta":${JSON.stringify({ ...meta, ...self })}` : opening;

  return {
    era: 'stateless',
    revision: version,
    features,
    tool: (tool) => describeTool(tool, features, publish(tool)),
    toolResult(result) {
      const { content, isError, _meta } = result;
      const structured = structuredText(result);
      let text = `${withMeta(_meta)},"content":${JSON.stringify(content)}`;
      if (structured !== undefined) text += `,"structuredContent":${structured}`;
      return isError ? `${text},"isError":true}` : `${text}}`;
    },
    task: describeTask,
    taskResult: (task) => JSON.stringify({ resultType: 'task', ...describeTask(task), _meta: self }),
    promptResult({ description, messages, _meta }) {
      return `${withMeta(_meta)},${JSON.stringify({ description, messages }).slice(1)}`;
    },
    resourceResult({ contents, _meta }, hints) {
      return `${withMeta(_meta)},${JSON.stringify({ contents, ...hints }).slice(1)}`;
    },
    result({ resultType = 'complete', _meta, ...body }, hints) {
      return JSON.stringify({
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
function describeTask(task: TaskRecord): JsonObject {
  const { id, status, statusMessage, createdAt, updatedAt, ttlMs, pollIntervalMs, questions, ending } = task;
  return {
    taskId: id,
    status,
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(updatedAt).toISOString(),
    ttlMs,
    pollIntervalMs,
    ...(status === 'input_required' && { inputRequests: questions }),
    ...(ending?.status === 'completed' && { result: ending.result }),
    ...(ending?.status === 'failed' && { error: ending.error }),
  };
}
