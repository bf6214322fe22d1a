import type { Principal, RequestContext } from '@toolwright/ground/base/request-context';
import type { BoundOperation, BoundTool } from '@toolwright/ground/call/operation/operation';
import type { Registry } from '@toolwright/ground/call/operation/registry';
import { type MaybePromise, after } from '@toolwright/json';
import { type JsonObject, isJsonObject, NOTHING } from '@toolwright/wire/json-rpc';

/**
 * A tool of a package whose calls mean other tools, such as `call_tool` of a search. Such a call has the guards, the audit
 * record, the tasks and the result of the tool that is meant, as if its client had called that tool by its own name.
 */
export interface ForwardingTool {
  /** Its name. */
  readonly tool: string;
  /** The argument that names the tool that is meant. */
  readonly name: string;
  /** The argument that has the arguments of that tool. A call may leave it out. */
  readonly arguments: string;
  /** False for a tool that is not called in this way. Default: every tool of the caller is. */
  mayMean?(tool: BoundTool): boolean;
}

/** A request that calls such a tool. */
export interface ForwardedCall {
  /** The tool that the request names. */
  readonly by: BoundTool;
  /**
   * The tool that is meant, whether the caller may call it or not. `undefined`: no tool has the name, or the arguments do
   * not have the form of such a call.
   */
  readonly tool: BoundTool | undefined;
  /** The arguments of the tool that is meant: an object if there is a tool. */
  readonly args: unknown;
}

interface Parts {
  readonly registry: Registry;
  readonly additions: {
    readonly forwards: ForwardingTool | undefined;
    prepare(operations: readonly BoundOperation[], request: RequestContext): MaybePromise<void>;
  };
}

/** The tool that a request means in place of the one that it names; `undefined` if it means the one that it names. */
export function findForwarded(
  { registry, additions: { forwards } }: Parts,
  { operation, params }: { readonly operation: BoundOperation | undefined; readonly params: JsonObject },
  principal: Principal | undefined,
): ForwardedCall | undefined {
  if (!forwards || operation?.kind !== 'tool' || operation.name !== forwards.tool) return undefined;
  const given = params['arguments'];
  if (!isJsonObject(given)) return undefined;
  const { [forwards.name]: name, [forwards.arguments]: args = NOTHING, ...others } = given;
  // Its own chain says what is wrong with other arguments.
  const isWellFormed = typeof name === 'string' && isJsonObject(args) && Object.keys(others).length === 0;
  return { by: operation, tool: isWellFormed ? registry.tools.getFor(name, principal) : undefined, args };
}

/** Whether the caller may call the tool that is meant. */
export function mayForward(
  { tool }: ForwardedCall,
  parts: Parts,
  request: RequestContext,
): MaybePromise<boolean> {
  return (
    tool !== undefined && parts.additions.forwards?.mayMean?.(tool) !== false && isFor(tool, parts, request)
  );
}

/** The tool that a caller means by a name; `undefined` if there is none, or if it is hidden from the caller. */
export function findTool(
  name: string,
  parts: Parts,
  request: RequestContext,
): MaybePromise<BoundTool | undefined> {
  const tool = parts.registry.tools.getFor(name, request.principal);
  return (
    tool &&
    after(
      () => isFor(tool, parts, request),
      (isFound) => (isFound ? tool : undefined),
    )
  );
}

/** Whether a tool is there for this caller. One that it lacks scopes for is: its chain says which. */
function isFor(
  tool: BoundTool,
  { registry, additions }: Parts,
  request: RequestContext,
): MaybePromise<boolean> {
  return after(
    () => additions.prepare([tool], request),
    () => registry.listed(tool, request.principal),
  );
}
