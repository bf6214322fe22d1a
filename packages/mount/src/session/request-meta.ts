import type { ClientCapabilities } from '@modelcontextprotocol/client';
import type { RequestContext } from '@toolwright/core';

type Params = Record<string, unknown>;

const META = 'io.modelcontextprotocol/';
export const TASKS = `${META}tasks`;

/**
 * Adds `_meta` to the parameters of a request: the trace, and on 2026-07-28 what its client can do.
 *
 * @param capabilities given on 2026-07-28 only, where each request says them again, with the level of its log messages
 */
export function withMeta(
  params: Params,
  { trace, logLevel }: RequestContext,
  capabilities: ClientCapabilities | undefined,
): Params {
  const { traceparent, tracestate } = trace;
  const extensions = { ...capabilities?.extensions, [TASKS]: {} };
  const _meta = {
    ...(traceparent !== undefined && { traceparent }),
    ...(tracestate !== undefined && { tracestate }),
    ...(capabilities && {
      [`${META}clientCapabilities`]: { ...capabilities, extensions },
      ...(logLevel !== undefined && { [`${META}logLevel`]: logLevel }),
    }),
  };
  return Object.keys(_meta).length > 0 ? { ...params, _meta } : params;
}
