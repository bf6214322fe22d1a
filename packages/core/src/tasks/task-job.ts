import { ToolError } from '../base/errors/errors.js';
import type { ClientInput, Principal } from '../base/request-context.js';
import { digest } from '../base/seal.js';
import type { BoundTool } from '../call/operation/operation.js';
import { exactName } from '../call/operation/versions.js';
import type { TaskJob } from '../ports/task-runner.js';
import { type ActiveRequest } from '../requests/active-request.js';
import { StatelessInput } from '../requests/client-questions.js';
import { principalKey } from '../call/operation/keys.js';
import { type JsonObject, isJsonObject } from '../wire/json-rpc.js';
import type { BackgroundWords } from './background-request.js';
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

const NOTHING: ReadonlyMap<string, never> = new Map<string, never>();

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

const shapes = new WeakMap<BoundTool, string>();

/**
 * The SHA-256 of what decides whether another release of a tool can do the work of a call: the kind, the behaviour that
 * the annotations state, and the input schema without its words. A better description changes nothing about a task.
 */
export function shapeOf(tool: BoundTool): string {
  let shape = shapes.get(tool);
  if (shape === undefined) {
    const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = tool.annotations;
    const behaviour = { readOnlyHint, destructiveHint, idempotentHint, openWorldHint };
    shape = digest({ kind: tool.kind, behaviour, input: withoutWords(tool.inputSchema) });
    shapes.set(tool, shape);
  }
  return shape;
}

/** Whether the tool can do the work of a job. Jobs of earlier releases have only the published contract. */
export function fitsJob(tool: BoundTool, { shape, contract }: TaskJob): boolean {
  return shape === undefined ? tool.contract === contract : shapeOf(tool) === shape;
}

interface WorkKind {
  /** Servers may share a queue, and each does only its own work. */
  readonly server: string;
  /** `tool`, or the noun of a background method. */
  readonly what: string;
}

/**
 * What a worker must serve to do the work of a tool (`QueuedTask.work`).
 *
 * @param name what the job calls the tool
 */
export function workKey(tool: BoundTool, kind: WorkKind, name = exactName(tool)): string {
  return `${workOfAnyShape(tool, kind, name).slice(0, -1)}${shapeOf(tool)}`;
}

/** The same for every shape of the tool. */
export function workOfAnyShape(tool: BoundTool, { server, what }: WorkKind, name = exactName(tool)): string {
  return `${workPrefix(server)}${what} ${name} *`;
}

/** What all work of one server begins with. JSON keeps a name with spaces apart from what follows. */
export function workPrefix(server: string): string {
  return `${JSON.stringify(server)} `;
}

const WORDS = new Set(['title', 'description', 'examples', '$comment', 'deprecated']);
/** Their values are schemas by names of the author, and a property may be called `description`. */
const NAMED = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
/** Their values are data. */
const DATA = new Set(['const', 'enum', 'default']);

function withoutWords(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutWords);
  if (!isJsonObject(schema)) return schema;
  const kept = Object.entries(schema).filter(([keyword]) => !WORDS.has(keyword));
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, valueOf(keyword, value)]));
}

function valueOf(keyword: string, value: unknown): unknown {
  if (DATA.has(keyword)) return value;
  if (keyword === 'required' && Array.isArray(value)) return [...(value as string[])].sort();
  if (!NAMED.has(keyword) || !isJsonObject(value)) return withoutWords(value);
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, withoutWords(schema)]));
}

/**
 * Whose task a job belongs to. The job is sealed, so nobody who can write to the database can change it. The runs of
 * background methods have an owner that no principal has as its key, so no client ever sees them.
 *
 * @param run the words of the run, if no call made the job
 */
export function ownerOf({ principal }: Pick<TaskJob, 'principal'>, run: BackgroundWords | undefined): string {
  return run ? `${run.noun}s` : principalKey(principal);
}

/** The members of a job of a call. */
const ofCalls: Readonly<Record<keyof TaskJob, true>> = {
  taskId: true,
  tool: true,
  arguments: true,
  principal: true,
  unkeptClaims: true,
  contract: true,
  shape: true,
  queuedAt: true,
  revision: true,
  client: true,
  trace: true,
  transport: true,
  ip: true,
  answers: true,
  memories: true,
};

/** True when a job says something that this process does not know, as the runs of a package do that it does not have. */
export function isForeign(job: TaskJob): boolean {
  return Object.keys(job).some((member) => !Object.hasOwn(ofCalls, member));
}

export function tooManyTasks(): ToolError {
  return new ToolError('There are too many tasks. Wait until some have expired.', { code: 'TW_TASKS_FULL' });
}
