import { setMaxListeners } from 'node:events';
import type { ToolResult } from '@toolwright/ground/base/content';
import { isProtocolError, HiddenOperationError } from '@toolwright/ground/base/errors/errors';
import type { ActiveCall } from '@toolwright/ground/call/active-call';
import { InputRequired } from '@toolwright/ground/call/context/rounds';
import {
  doubtfulTextsOf,
  mayMeetSecrets,
  noteGiven,
  noteGot,
  withoutSecretsOf,
  withoutTextsOf,
} from '@toolwright/ground/call/hide-sensitive';
import type { BoundTool, Call } from '@toolwright/ground/call/operation/operation';
import type { Observed } from '@toolwright/ground/ports/telemetry';
import {
  hideUndeclared,
  type JsonSchema,
  present,
  showValues,
  type MaybePromise,
  after,
} from '@toolwright/json';
import type { JsonObject } from '@toolwright/wire/json-rpc';
import { sessionUnverified, unknownName } from '@toolwright/wire/protocol-errors';
import type { Engine } from './active-request.js';
import { findTool } from './forwarded-call.js';
import { toolTarget } from './methods/tools.js';
import { ASKED, InnerInput, InnerRequest } from './inner-request.js';

/** Options of an inner call. */
export interface InnerCallOptions {
  /**
   * Tells the inner calls of one call apart, in all its rounds: the answers and the steps of an inner call are kept under
   * it. Default: the number of the inner call in its round, which fits a method that makes the same calls in each round.
   */
  readonly key?: string;
  /** The structured result of a call that is recorded: a program meets the sensitive values in it again. */
  readonly result?: unknown;
  /**
   * An earlier round has made the call and knows its outcome. The chain runs, so that what decides who may call is asked again;
   * a guard of the package ends it there (`request.isRecorded`). It has no audit record and no span.
   */
  readonly isRecorded?: boolean;
  /**
   * Is called when the call has failed.
   *
   * @param code why, by the stable error code that the caller may know
   * @param hasBegun false when a guard refused the call, or its person did: its tool did nothing
   */
  readonly onFailed?: (code: string | undefined, hasBegun: boolean) => void;
}

/** Calls of tools that a package makes inside of a call. */
export interface InnerCalls {
  /**
   * The tool that a caller means by a name; the names of versions are names. A tool that the caller lacks scopes for is found,
   * and its call says which.
   *
   * @param outer the call that wants to call it
   * @returns `undefined` for a tool that does not exist, and for one that is hidden from this caller
   */
  find(name: string, outer: Call): MaybePromise<BoundTool | undefined>;
  /** Records a call that is not made: no tool has its name for this caller, or the package refuses it. */
  refuse(name: string, outer: Call, args: JsonObject): MaybePromise<void>;
  /**
   * Calls a tool for the caller of another call, with everything that a call of its client would have: guards, audit record,
   * limits, questions, spans and metrics. Its records name the call around it as `parent`. It ends with that call: when
   * its caller cancels it, and at its deadline. Meanwhile the deadline of the call around it does not run, and others may
   * use its slots. Nothing of the result is cut for a model.
   *
   * @returns the result; or `InputRequired` when the client must answer a question first. The round of the call around it
   *   then ends, whatever its method returns, and its method runs again with the answer
   * @throws {ProtocolError} for what is an error of the protocol, such as missing scopes
   */
  call(
    outer: Call,
    tool: BoundTool,
    args: JsonObject,
    options?: InnerCallOptions,
  ): Promise<ToolResult | InputRequired>;
}

/** Makes the inner calls of one server. */
export function innerCallsOf(engine: Engine): InnerCalls {
  /** How many inner calls each call has begun without a key. */
  const begun = new WeakMap<object, number>();
  const keyOf = (outer: object) => {
    const number = (begun.get(outer) ?? 0) + 1;
    begun.set(outer, number);
    return String(number);
  };
  return {
    find: (name, outer) => findTool(name, engine.host, outer.request),
    refuse: (name, call, args) =>
      after(
        () => findTool(name, engine.host, call.request),
        (tool) => noteRefused(engine, call as ActiveCall, { name, tool, args }),
      ),
    async call(call, tool, args, { key = keyOf(call), isRecorded = false, result, onFailed } = {}) {
      const outer = call as ActiveCall;
      outer.ensureWanted();
      // Each of its calls listens, and there may be many at a time.
      setMaxListeners(0, outer.signal);
      const { ids, clock } = outer.environment;
      const makeId = () => ids.uuid(clock.now());
      // The slash ends the key, so no key is the beginning of another one.
      const prefix = `call.${encodeURIComponent(key)}/`;
      const input = await InnerInput.open(
        outer.request.input,
        { prefix, asks: () => askedBy(tool, withoutSecretsOf(outer.program, args)) },
        makeId,
      );
      const request = new InnerRequest(outer, tool, input, isRecorded);
      if (request.isUnverified && !tool.annotations.readOnlyHint) {
        noteRefused(engine, outer, { name: tool.name, tool, args });
        onFailed?.('TW_PROGRAM_REFUSED', false);
        throw sessionUnverified(tool.name);
      }
      const run = isRecorded ? counted : observed;
      const { program } = outer;
      const mayMeet = program && mayMeetSecrets(engine.host.registry, outer.operation);
      const note = (got: unknown) =>
        noteGot(program!, tool, { result: got, isOwn: doubtfulTextsOf(inner).length > 0 });
      const inner = { operation: tool, request, argumentsByName: args };
      if (mayMeet) {
        noteGiven(program, tool, args);
        note(result);
      }
      const outcome = await outer
        .whileAway(() => run(engine, { tool, args, request }))
        .finally(() => request.parent.failure && onFailed?.(...request.parent.failure));
      if (mayMeet && 'content' in outcome) note(outcome.structuredContent ?? outcome.content);
      return outcome;
    },
  };
}

/**
 * What a person must know who is asked: the client shows only the call around it. It comes first, so nothing can push it out of
 * sight.
 */
function askedBy(tool: BoundTool, args: JsonObject): string {
  const given = showValues(hideUndeclared(tool.inputSchema, ownArguments(tool, args)));
  return `The tool "${tool.name}" asks, which was called with ${given}:`;
}

/** Without what the server adds for direct calls, such as `confirmed`: the person would read that somebody has agreed. */
function ownArguments({ inputSchema, ownInput }: BoundTool, args: JsonObject): JsonObject {
  if (!ownInput) return args;
  const has = ({ properties = {} }: JsonSchema, name: string) => Object.hasOwn(properties, name);
  const own = Object.entries(args).filter(([name]) => has(ownInput, name) || !has(inputSchema, name));
  return Object.fromEntries(own);
}

/** A call that is not made. `tool`: the caller knows one of this name. */
interface RefusedCall {
  readonly name: string;
  readonly tool: BoundTool | undefined;
  readonly args: JsonObject;
}

/** Somebody who tries names is as suspicious inside of a call as outside. */
function noteRefused(
  { refusals, host: { registry } }: Engine,
  outer: ActiveCall,
  { name, tool, args }: RefusedCall,
): void {
  const { request, trail, program } = outer;
  if (program && mayMeetSecrets(registry, outer.operation)) noteGiven(program, tool, args);
  const { principal, ip, client, revision } = request;
  refusals.note(
    {
      reason: tool ? 'TW_PROGRAM_REFUSED' : registry.tools.get(name) ? 'TW_HIDDEN' : 'TW_UNKNOWN_NAME',
      // A program can make a name of a secret that it has met.
      name: tool ? (tool.versionOf ?? tool.name) : withoutTextsOf(program, name),
      operation: 'tool',
      principal,
      ip,
      client: client.info,
      revision,
    },
    present({ parent: trail?.callId, program: program?.digest }),
  );
}

interface InnerCall {
  readonly tool: BoundTool;
  readonly args: JsonObject;
  readonly request: InnerRequest;
}

/** Runs the call in a span of its own, if anybody measures. */
async function observed(engine: Engine, call: InnerCall): Promise<ToolResult | InputRequired> {
  const observation = engine.telemetry.observe(() => describe(call));
  if (!observation) return counted(engine, call);
  call.request.trace = observation.trace;
  try {
    const outcome = await observation.run(() => counted(engine, call));
    observation.end(!(outcome instanceof InputRequired) && outcome.isError ? 'tool_error' : undefined);
    return outcome;
  } catch (error) {
    const { rpcCode, message } = isProtocolError(error) ? error : { rpcCode: 'error', message: undefined };
    observation.end(String(rpcCode), message);
    throw error;
  }
}

function describe({ tool, request }: InnerCall): Observed {
  return {
    method: 'tools/call',
    target: toolTarget(tool),
    attributes: { 'jsonrpc.request.id': String(request.id), 'mcp.protocol.version': request.revision },
    trace: request.trace,
  };
}

/** A server that stops waits for it, also when the call around it does not. */
async function counted(
  { traffic }: Engine,
  { tool, args, request }: InnerCall,
): Promise<ToolResult | InputRequired> {
  traffic.active++;
  try {
    const outcome = await tool.run(request, args);
    // Its next round is not charged, and has the same records.
    if (outcome instanceof InputRequired) request.input.remember(ASKED, true);
    return outcome;
  } catch (error) {
    if (!(error instanceof HiddenOperationError)) throw error;
    // Otherwise the answer would be that the tool of the call around it is unknown.
    request.parent.failure = ['TW_UNKNOWN_NAME', false];
    throw unknownName('tool', tool.name, []);
  } finally {
    traffic.active--;
    if (traffic.draining) traffic.tellIdle();
  }
}
