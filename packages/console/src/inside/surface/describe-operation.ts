import { isFor, present, tokensOf } from '@toolwright/json';
import { type BoundOperation, type McpServer, type Principal, RequireScopes } from '@toolwright/core';
import type { Kind, Operation } from '../../api/surface-api.js';

/**
 * An entry of a list, with what the server knows about it.
 *
 * @param listed the entry as the caller got it
 * @param caller who got it: several operations may have one name, each for other callers
 */
export function describeOperation(
  server: McpServer,
  kind: Kind,
  key: string,
  listed: Readonly<Record<string, unknown>>,
  caller: Principal | undefined,
): Operation {
  const bound = findOperation(server, { kind, key, caller });
  const { title, description } = listed;
  const app = appOf(listed);
  return {
    kind,
    key,
    name: String(listed['name']),
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { description }),
    listed,
    input: argumentSchema(kind, listed, bound),
    tokens: tokensOf(listed),
    ...(app !== undefined && { app }),
    completes: bound && 'complete' in bound ? Object.keys(bound.complete) : [],
    ...(bound && factsOf(bound)),
    ...lockOf(bound, caller),
  };
}

/** The page that shows the results of a tool (MCP Apps). */
function appOf({ _meta: meta }: Readonly<Record<string, unknown>>): string | undefined {
  const uri = (meta as { ui?: { resourceUri?: unknown } } | undefined)?.ui?.resourceUri;
  return typeof uri === 'string' ? uri : undefined;
}

function lockOf(
  bound: BoundOperation | undefined,
  caller: Principal | undefined,
): Pick<Operation, 'missingScopes'> {
  const missingScopes = bound ? scopesFor(bound).filter((scope) => !caller?.scopes.includes(scope)) : [];
  return missingScopes.length > 0 ? { missingScopes } : {};
}

/** The scopes that an operation asks for. */
export function scopesFor(operation: BoundOperation): readonly string[] {
  return RequireScopes.of(operation)?.options.scopes ?? [];
}

function factsOf(bound: BoundOperation): Partial<Operation> {
  const { location, entry } = bound;
  const method = entry?.key.slice(entry.key.indexOf('#') + 1);
  return {
    ...(location !== undefined && { location }),
    ...(method !== undefined && { method }),
    ...originOf(bound),
    ...(bound.kind === 'resource' && bound.built && { built: bound.built }),
    ...(bound.kind === 'tool' && {
      ...(bound.outputSchema && { output: bound.outputSchema as Operation['output'] & object }),
      ...(bound.task && { task: bound.task.mode }),
    }),
  };
}

/** Where a tool comes from that calls an API: what `@CallsApi` of `@toolwright/openapi` says. */
function originOf({ policies }: BoundOperation): Pick<Operation, 'origin'> {
  const entry = policies.get('calls API');
  if (!entry) return {};
  const { options } = entry.options as { options: { operation: string; specification?: string } };
  const { operation, specification } = options;
  return { origin: specification === undefined ? operation : `${operation} of ${specification}` };
}

type Schema = Operation['input'];

/** The names in the braces of a URI template: `page://{id}{?limit,sort}`. */
const EXPRESSION = /\{[+#./;?&]?([^}]+)\}/g;

/** The JSON Schema of the arguments, whatever the kind. Prompts and templates take only text. */
function argumentSchema(
  kind: Kind,
  listed: Readonly<Record<string, unknown>>,
  bound: BoundOperation | undefined,
): Schema {
  if (kind === 'tool')
    return (bound as { inputSchema?: Schema } | undefined)?.inputSchema ?? (listed['inputSchema'] as Schema);
  if (kind === 'prompt') return promptSchema(listed);
  return kind === 'resourceTemplate' ? templateSchema(String(listed['uriTemplate'])) : textObject({}, []);
}

function promptSchema({ arguments: args = [] }: Readonly<Record<string, unknown>>): Schema {
  const listed = args as { name: string; title?: string; description?: string; required?: boolean }[];
  const properties = listed.map(({ name, title, description }) => [
    name,
    present({ type: 'string', title, description }),
  ]);
  return textObject(
    Object.fromEntries(properties) as Schema,
    listed.filter(({ required }) => required).map(({ name }) => name),
  );
}

function templateSchema(template: string): Schema {
  const names = [...template.matchAll(EXPRESSION)].flatMap(([, list]) =>
    list!.split(',').map((name) => name.replace(/[*:].*$/, '')),
  );
  return textObject(Object.fromEntries(names.map((name) => [name, { type: 'string' }])), names);
}

function textObject(properties: Schema, required: readonly string[]): Schema {
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** What identifies an operation within its kind. */
export function keyOf(operation: BoundOperation): string {
  if (operation.kind === 'resource') return operation.uri;
  return operation.kind === 'resourceTemplate' ? operation.uriTemplate : operation.name;
}

/**
 * Every operation of a server, whoever may see it.
 *
 * @param unlisted whether to add the versions of tools that no list shows
 */
export function operationsOf(server: McpServer, unlisted = false): readonly BoundOperation[] {
  const { tools, prompts, resources, resourceTemplates } = server;
  return [...tools.list({ unlisted }), ...prompts.list(), ...resources.list(), ...resourceTemplates.list()];
}

/** The operation that this caller gets. */
export function findOperation(
  server: McpServer,
  { kind, key, caller }: { kind: string; key: string; caller: Principal | undefined },
): BoundOperation | undefined {
  return operationsOf(server, true).find(
    (operation) => operation.kind === kind && keyOf(operation) === key && isFor(operation, caller),
  );
}
