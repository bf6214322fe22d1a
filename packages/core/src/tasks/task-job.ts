import { ToolError } from '../base/errors/errors.js';
import type { ClientInput, Principal } from '../base/request-context.js';
import type { BoundTool } from '../call/operation/operation.js';
import { exactName } from '../call/operation/names.js';
import type { ActiveRequest } from '../requests/active-request.js';
import { StatelessInput, NOTHING } from '../requests/client-questions.js';
import type { JsonObject } from '../wire/json-rpc.js';
import type { TaskJob } from './task-carrier.js';
import type { TaskInput } from './task-input.js';

/** A call that becomes a task. */
interface BecomingTask {
  readonly taskId: string;
  readonly request: ActiveRequest;
  readonly tool: BoundTool;
  readonly args: JsonObject;
  readonly input: TaskInput;
  /** The names of the claims that a job may hold. */
  readonly claims: readonly string[];
}

/** The work of a call as data. */
export function describeJob({ taskId, request, tool, args, input, claims }: BecomingTask): TaskJob {
  const { codec } = request;
  const { client, trace, transport, ip } = request;
  const { answers, memories } = roundOf(request.input);
  const principal = withoutClaims(request.principal, claims);
  const unkeptClaims = Object.keys(request.principal?.claims ?? {}).filter((name) => !claims.includes(name));
  return {
    taskId,
    tool: exactName(tool),
    arguments: args,
    principal,
    ...(unkeptClaims.length > 0 && { unkeptClaims }),
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

/** What earlier rounds of the call have brought. */
function roundOf(input: ClientInput): Pick<StatelessInput, 'answers' | 'memories'> {
  return input instanceof StatelessInput ? input : { answers: NOTHING, memories: NOTHING };
}

/** The caller, with only the named claims. */
function withoutClaims(principal: Principal | undefined, names: readonly string[]): Principal | undefined {
  if (!principal) return undefined;
  const { issuer, subject, clientId, tenant, scopes, claims = {} } = principal;
  const kept = Object.entries(claims).filter(([name]) => names.includes(name));
  return {
    ...(issuer !== undefined && { issuer }),
    subject,
    ...(clientId !== undefined && { clientId }),
    ...(tenant !== undefined && { tenant }),
    scopes,
    ...(kept.length > 0 && { claims: Object.fromEntries(kept) }),
  };
}

export function tooManyTasks(): ToolError {
  return new ToolError('There are too many tasks. Wait until some have expired.', { code: 'TW_TASKS_FULL' });
}
