import type { ToolResult } from '../../base/content.js';
import { resourceNotFound } from '../../base/errors/specific-errors.js';
import { type MaybePromise, after } from '../../base/maybe-promise.js';
import type { BoundTool } from '../../call/operation/operation.js';
import type { ActiveRequest, RoundCall } from '../active-request.js';
import { callOperation } from '../serve.js';

/**
 * Reads what was left out of a result (`@MaxOutput({ link: true })`). It is a call of the tool, with all its guards. A
 * link of another caller, a forged and an old one, and one to a tool that is hidden, are answered as a URI that nothing has.
 */
export function readRest(request: ActiveRequest, uri: string): MaybePromise<string> {
  const tool = request.operation as BoundTool | undefined;
  return after(
    () => tool && request.engine.host.additions.prepareUse(tool, request),
    () => readOf(tool, request, uri),
  );
}

function readOf(tool: BoundTool | undefined, request: ActiveRequest, uri: string): MaybePromise<string> {
  const { engine, codec, principal } = request;
  const isVisible = tool !== undefined && engine.host.registry.visible(tool, principal);
  const rest = isVisible ? tool.links?.open(tool, request, uri) : undefined;
  if (!rest) {
    request.refusal = { reason: 'TW_CURSOR_INVALID', detail: isVisible ? 'link' : 'hidden' };
    throw resourceNotFound(uri, codec.era);
  }
  const call: RoundCall<ToolResult> = {
    operation: tool!,
    args: { uri },
    run() {
      request.begun = true;
      return tool!.run(request, rest.args);
    },
    encode: (result) => codec.resourceResult(rest.contents(result, uri), { ttlMs: 0, cacheScope: 'private' }),
  };
  return callOperation(request, call);
}
