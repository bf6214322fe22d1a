import type { ClientInput, Principal } from '../../base/request-context.js';
import type { BoundTool } from '../../call/operation/operation.js';
import type { TaskJob } from '../../ports/task-runner.js';
import type { JsonObject } from '../messages/json-rpc.js';
import type { Incoming } from '../requests/incoming.js';
import { StatelessInput } from '../rounds/stateless-input.js';
import type { TaskInput } from './task-input.js';

/** A call that becomes a task. */
interface BecomingTask {
  readonly taskId: string;
  readonly incoming: Incoming;
  readonly tool: BoundTool;
  readonly args: JsonObject;
  readonly input: TaskInput;
  /** The names of the claims that a job may hold. */
  readonly claims: readonly string[];
}

/** The work of a call as data. */
export function describeJob({ taskId, incoming, tool, args, input, claims }: BecomingTask): TaskJob {
  const { request, codec } = incoming;
  const { client, trace, transport, ip } = request;
  const { answers, memories } = roundOf(request.input);
  return {
    taskId,
    tool: tool.name,
    arguments: args,
    principal: withoutClaims(request.principal, claims),
    contract: tool.contract,
    revision: codec.revision,
    client,
    trace,
    transport,
    ...(ip !== undefined && { ip }),
    answers: Object.fromEntries([...answers, ...input.given]),
    memories: Object.fromEntries([...memories, ...input.memories]),
  };
}

const NOTHING: ReadonlyMap<string, never> = new Map<string, never>();

/** What earlier rounds of the call have brought. */
function roundOf(input: ClientInput): Pick<StatelessInput, 'answers' | 'memories'> {
  return input instanceof StatelessInput ? input : { answers: NOTHING, memories: NOTHING };
}

/** The caller with those of its claims that are named. */
function withoutClaims(principal: Principal | undefined, names: readonly string[]): Principal | undefined {
  if (!principal) return undefined;
  const { issuer, subject, clientId, scopes, claims = {} } = principal;
  const kept = Object.entries(claims).filter(([name]) => names.includes(name));
  return {
    ...(issuer !== undefined && { issuer }),
    subject,
    ...(clientId !== undefined && { clientId }),
    scopes,
    ...(kept.length > 0 && { claims: Object.fromEntries(kept) }),
  };
}
