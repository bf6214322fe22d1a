import type { ClientCapabilities } from '@modelcontextprotocol/client';
import type { RequestContext } from '@toolwright/core';

type Params = Record<string, unknown>;

const META = 'io.modelcontextprotocol/';
export const TASKS = `${META}tasks`;

/**
 * Adds to a request what travels beside it.
 *
 * @param capabilities on 2026-07-28: each request says what its own client can do, and which log messages it wants
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
