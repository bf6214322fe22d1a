import type { JsonObject } from '../messages/json-rpc.js';
import { structuredText } from '../../call/results/written-result.js';
import { metaKeys } from '../messages/meta-keys.js';
import type { Codec } from './codec.js';
import { describeServer, describeTool } from './definitions.js';
import type { CodecSetup, RevisionRecord } from '../revisions/revision-record.js';

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
