import { basename } from 'node:path';
import { type McpServer, MaxOutput, RequireScopes, type ToolContext } from '@toolwright/core';
import { optionRules, type OptionSchema, parseOptions, type PolicyEntries } from '@toolwright/core/options';
import { prefixRule, present } from '@toolwright/json';
import { type Detail, detailLimits } from '../model/detail.js';
import { isFormData, isPlainJson } from '../model/media-types.js';
import { contractOf } from '../model/tool-contract.js';
import { type ApiPlan, planOperations } from '../model/plan-operations.js';
import { LIMIT, type PlannedOperation } from '../model/planned-operation.js';
import { originOf } from '../model/origin.js';
import { readSpecification } from '../read/read-specification.js';
import { remarksOf, reportOf } from '../report/import-report.js';
import { ApiClient, type ApiClientOptions, clientRules } from './api-client.js';
import type { ApiRequest } from './api-request.js';
import { CallsApi, noteRequests } from './calls-api.js';
import { knownServers, unknownServers } from './known-servers.js';
import { missingCredentials, withOwnCredentials } from './given-credentials.js';
import { requireOperations } from './require-operations.js';
import { withStyle } from './styled-value.js';
import { behind } from '../model/schema-facts.js';
import { revived } from './revived.js';

export interface OpenApiToolsOptions extends Omit<ApiClientOptions, 'baseUrl'> {
  /** The path of the specification (3.0 or 3.1), or the parsed document. */
  spec: string | object;
  /** Where the API is. Default: the first server of the specification. */
  baseUrl?: string;
  /**
   * Where operations with an address of their own are: the address that the specification says, and the one to use. No request
   * goes to an address that is not here, unless it is on the host of `baseUrl`. Without `baseUrl`, the servers of the whole
   * specification are known, too.
   */
  servers?: Readonly<Record<string, string>>;
  /** Only these operations: patterns for operationId, `METHOD /path` or tag, in which `*` is any text. */
  include?: readonly string[];
  /** All but these. */
  exclude?: readonly string[];
  /** How much a model reads of each operation. Default `usual`. */
  detail?: Detail;
  /**
   * The policies of all these tools, as decorators would set them. They are added to what the specification gives: scopes are
   * united.
   *
   * @example
   * policies: [RateLimit.entry({ points: 10, per: '1m' })]
   */
  policies?: PolicyEntries;
  /** Who sees the tools and may call them. For other callers they do not exist. Default: everybody. */
  for?: ToolDefinition['for'];
  /** Is put before the name of each tool, such as `github_`, so that two APIs have no name in common. */
  prefix?: string;
}

const { anyObject, callback, either, listOf, oneOf, policyEntries, text } = optionRules;
const patterns = listOf('a list of patterns', text);

const rules = {
  ...clientRules,
  spec: { ...either(text, anyObject), required: true },
  include: patterns,
  exclude: patterns,
  detail: oneOf(...Object.keys(detailLimits)),
  policies: policyEntries,
  for: callback,
  prefix: prefixRule,
} satisfies OptionSchema<OpenApiToolsOptions>;

/**
 * Adds a tool for each chosen operation of a specification to a server. Each has the guards of every tool.
 *
 * @returns the names of the tools
 * @throws {SpecificationError} if the specification cannot be read
 * @throws {ConfigurationError} if a name is taken, an option is wrong, or a pattern of `include` matches nothing
 *
 * @example
 * await openApiTools(server, { spec: 'petstore.json', baseUrl: 'https://petstore.example', include: ['GET *'] });
 */
export async function openApiTools(server: McpServer, given: OpenApiToolsOptions): Promise<string[]> {
  const { spec, baseUrl, include, exclude, detail, policies, prefix, for: audience, ...client } = given;
  parseOptions('openApiTools', rules, present(given));
  const guards = { policies: [...(policies ?? [])], ...(audience && { for: audience }) };
  const plan = planOperations(await readSpecification(spec), { include, exclude, detail, prefix });
  const source = typeof spec === 'string' ? basename(spec) : plan.title;
  requireOperations(plan, source, include);
  const { remark } = await noteRequests(server);
  const servers = knownServers(plan, given);
  const api = new ApiClient({ ...client, baseUrl: baseUrl ?? plan.baseUrl, servers });
  // All of them or none.
  const operations = withOwnCredentials(plan, given);
  server.tools.add(operations.map((each) => toolOf(each, { plan, api, source, guards })));
  remark(source, [
    ...remarksOf(reportOf(plan)),
    ...unknownServers(plan, servers),
    ...missingCredentials(plan, given),
  ]);
  return plan.operations.map(({ toolName }) => toolName);
}

type ToolDefinition = Extract<Parameters<McpServer['tools']['add']>[0], { name: string }>;

/** What all tools of a call have. */
type Guards = Pick<ToolDefinition, 'for'> & { readonly policies: readonly PolicyEntry[] };
type PolicyEntry = PolicyEntries extends Iterable<infer Entry> ? Entry : never;

function toolOf(
  operation: PlannedOperation,
  { plan, api, source, guards }: { plan: ApiPlan; api: ApiClient; source: string; guards: Guards },
): ToolDefinition {
  const { name, description, annotations, inputSchema, outputSchema } = contractOf(operation, plan);
  const [first, ...more] = operation.scopes;
  return {
    name,
    description,
    annotations,
    inputSchema,
    ...(outputSchema && { outputSchema }),
    ...originOf(plan.title, operation.group),
    policies: [
      CallsApi.entry(operation.key, source),
      ...(first === undefined ? [] : [RequireScopes.entry(first, ...more)]),
      ...(operation.paging ? [MaxOutput.entry({ tokens: 10_000 })] : []),
      ...guards.policies,
    ],
    ...(guards.for && { for: guards.for }),
    handler: (args, ctx) => run(operation, args, { plan, api, ctx }),
  };
}

function run(
  operation: PlannedOperation,
  args: Readonly<Record<string, unknown>>,
  { plan, api, ctx }: { plan: ApiPlan; api: ApiClient; ctx: ToolContext },
): Promise<unknown> {
  const request = requestOf(operation, args, plan.inputs);
  const { paging, result } = operation;
  if (paging) {
    const { by, at, size, items, next, first } = paging;
    const limit = (args[LIMIT.name] as number | undefined) ?? LIMIT.initial;
    const pages = present({ by, at, size, items, next, first });
    return api.list(request, { ...pages, limit }, ctx);
  }
  if (result.kind === 'none') return api.send(request, ctx);
  return result.kind === 'text' ? api.text(request, ctx) : api.call(request, ctx);
}

/** What a generated method writes as code. */
export function requestOf(
  { method, path, baseUrl, auth, arguments: all, constants, body, result }: PlannedOperation,
  args: Readonly<Record<string, unknown>>,
  definitions: ApiPlan['inputs'],
): ApiRequest {
  const at = (place: string) =>
    Object.fromEntries([
      ...constants.filter((each) => each.in === place).map(({ name, value }) => [name, value]),
      ...all
        .filter((each) => each.in === place)
        .map(({ apiName, name, style, isReserved, schema }) => {
          const value = withStyle(revived(args[name], schema, definitions, name), style);
          return [apiName, isReserved ? withStyle(value, 'reserved') : value];
        }),
    ]) as Record<string, unknown>;
  const request = {
    method,
    path,
    ...(baseUrl !== undefined && { baseUrl }),
    ...(auth && { auth: auth.lists }),
    ...(result.kind === 'json' && result.mayBeEmpty && { mayBeEmpty: true }),
    ...(result.kind === 'text' && result.isLocation && { location: true }),
    params: at('path'),
    query: at('query'),
    headers: at('header'),
    cookies: at('cookie'),
  };
  return body ? { ...request, ...bodyOf(body, args, definitions) } : request;
}

function bodyOf(
  { kind, contentType, isFlat, name, schema, styles, parts }: NonNullable<PlannedOperation['body']>,
  args: Readonly<Record<string, unknown>>,
  definitions: ApiPlan['inputs'],
): Partial<ApiRequest> {
  const members = Object.keys(behind(schema, definitions).properties ?? {});
  const value = revived(isFlat ? pick(args, members) : args[name], schema, definitions, name);
  if (value === undefined) return {};
  if (kind === 'form' || kind === 'multipart') {
    const entries = Object.entries(value as object) as [string, unknown][];
    const members = Object.fromEntries(
      entries.map(([key, each]) => [key, withStyle(each, styles[key] ?? 'form')]),
    );
    if (kind === 'form') return { form: members };
    return { multipart: members, parts, ...(isFormData(contentType) ? {} : { contentType }) };
  }
  const isUsual = kind === 'json' && isPlainJson(contentType);
  return { body: value, ...(isUsual ? {} : { contentType }) };
}

function pick(args: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    names
      .filter((name) => Object.hasOwn(args, name) && args[name] !== undefined)
      .map((name) => [name, args[name]]),
  );
}
