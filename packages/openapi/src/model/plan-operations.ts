import { NameSet, pascalName, wordsOf } from '@toolwright/json';
import {
  type HttpMethod,
  type OrReference,
  type Reference,
  methods,
  type ApiOperation,
  type Parameter,
  type PathItem,
  type Schema,
  type ServerObject,
} from '../read/openapi-document.js';
import { isReference, type Specification } from '../read/specification.js';
import { withoutNames } from './path-places.js';
import { annotationsOf } from './annotations.js';
import { type Detail, detailLimits } from './detail.js';
import { findPaging } from './find-paging.js';
import { InputSchemas } from './input-schemas.js';
import { isReading, notesOn } from './operation-notes.js';
import { OutputSchemas } from './output-schemas.js';
import { isFile } from './media-types.js';
import { ArgumentPlanner, parametersOf, sharedParameters } from './plan-arguments.js';
import { addressesOf, baseUrlOf, ownAddress } from './servers.js';
import { takenNames } from './taken-names.js';
import { type PlannedAnswer, answerOf, resultOf, withResult } from './plan-result.js';
import type { PlannedOperation, SkippedOperation } from './planned-operation.js';
import { type JsonSchema, typesOf } from './schema-facts.js';
import { requireSound } from './require-sound.js';
import {
  type ApiSecurity,
  authOf,
  credentialNames,
  credentialParameters,
  hasOtherScopes,
  scopesOf,
  securityOf,
  securitySchemes,
} from './security.js';
import {
  type ChosenOperation,
  type OperationSelection,
  selectOperations,
  withoutMatch,
} from './select-operations.js';
import { describeOperation } from './text.js';
import { newOperations, unsupportedPart } from './unsupported-parts.js';
import { type NamedOperation, nameTools } from './tool-names.js';
import { noteOnPatterns } from './usable-pattern.js';

export interface PlanOptions extends OperationSelection {
  readonly groupBy?: 'tag' | 'path';
  /** The name of the file of the specification. */
  readonly source?: string;
  /** How much a model reads of each operation. Default `usual`. */
  readonly detail?: Detail;
  /** Is put before the name of each tool. */
  readonly prefix?: string;
  /** Names of tools of an earlier import without their prefix, by the key of their operation. */
  readonly earlierNames?: ReadonlyMap<string, string>;
}

/** Everything that is known about the tools before one line is written. */
export interface ApiPlan {
  readonly title: string;
  /** The name of the file of the specification, where it has one. */
  readonly source: string | undefined;
  readonly baseUrl: string | undefined;
  /** The addresses that the document names for all of it. */
  readonly addresses: readonly string[];
  readonly security: ApiSecurity;
  /** How many operations the specification has. */
  readonly total: number;
  readonly operations: readonly PlannedOperation[];
  readonly skipped: readonly SkippedOperation[];
  /** The patterns of `include` that match no operation. */
  readonly unmatched: readonly string[];
  /** What was read otherwise than it is written, or left out: a line each, with its place. */
  readonly notes: readonly string[];
  /** What the groups are about, in the words of the specification. */
  readonly groups: ReadonlyMap<string, string>;
  readonly inputs: ReadonlyMap<string, JsonSchema>;
  readonly outputs: ReadonlyMap<string, JsonSchema>;
  readonly leftOut: ReadonlyMap<string, readonly string[]>;
}

interface Found extends ChosenOperation, NamedOperation, PlannedAnswer {
  readonly parameters: Parameter[];
  /** The servers of the operation or of its path, where they are not those of the document. */
  readonly servers: readonly ServerObject[] | undefined;
}

/** Turns a specification into a plan of tools. */
export function planOperations(specification: Specification, options: PlanOptions = {}): ApiPlan {
  const found = findOperations(specification);
  const { prefix = '' } = options;
  const names = nameTools(found, options.earlierNames, prefix);
  const { chosen, skipped } = selectOperations(found, options);
  requireSound(specification, found, chosen);
  const unknown = newMethods(specification);
  const limits = detailLimits[options.detail ?? 'usual'];
  const typeNames = new NameSet(takenNames);
  const [inputs, outputs] = [
    new InputSchemas(specification, typeNames, limits),
    new OutputSchemas(specification, typeNames, limits),
  ];
  const schemes = securitySchemes(specification);
  const credentials = credentialParameters(
    specification,
    schemes,
    found.map(({ operation, parameters }) => ({ operation, shared: parameters })),
  );
  const securityOfOperation = ({ operation }: Found) => operation.security ?? specification.document.security;
  const security = securityOf(
    schemes,
    credentials,
    chosen.flatMap((each) => securityOfOperation(each) ?? []),
  );
  const credentialsOfApi = { names: credentialNames(security), credentials };
  const shared = sharedParameters(chosen.map(({ parameters }) => parameters));
  const planner = new ArgumentPlanner(specification, inputs, credentials, limits, shared);
  const operations = chosen.map((each): PlannedOperation => {
    const { key, operationId, method, path, operation } = each;
    const ownName = names.get(key)!;
    const toolName = prefix + ownName;
    const input = planner.plan(path, each.parameters, isReading(method) ? undefined : operation.requestBody);
    const schema = each.answer?.schema as Schema | undefined;
    const paging =
      method === 'GET' && each.answerKind === 'json'
        ? findPaging(specification, input.arguments, schema)
        : undefined;
    const hidden = paging ? [paging.at, paging.size?.name] : [];
    const result = resultOf(each, pascalName(ownName), outputs, paging?.items);
    return {
      key,
      operationId,
      method,
      path,
      toolName,
      ownName,
      paging,
      result,
      baseUrl: ownAddress(each.servers, specification.document.servers).url,
      group: groupOf(each, options.groupBy ?? 'tag'),
      description: [
        withResult(
          describeOperation(operation.summary, operation.description, limits.operation),
          ownName,
          result,
        ),
        ...(each.answerKind === 'file' && result.kind === 'text' ? ['The file is base64.'] : []),
        ...(input.needs === undefined ? [] : [input.needs]),
      ].join(' '),
      deprecated: operation.deprecated === true,
      annotations: annotationsOf(method, ownName),
      scopes: scopesOf(operation, specification, schemes),
      auth: authOf(
        { security: securityOfOperation(each), parameters: each.parameters },
        schemes,
        credentialsOfApi,
      ),
      arguments: input.arguments.filter((each) => !(each.in === 'query' && hidden.includes(each.apiName))),
      constants: input.constants,
      body: input.body,
    };
  });
  return {
    title: specification.document.info?.title ?? 'API',
    source: options.source,
    baseUrl: baseUrlOf(specification.document.servers),
    addresses: addressesOf(specification.document.servers),
    security,
    total: found.length + unknown.length,
    operations,
    skipped: [...skipped, ...selectOperations(unknown, options).skipped],
    unmatched: withoutMatch(found, options.include),
    notes: [
      ...specification.notes,
      ...chosen.flatMap((each) => notesOn(each, specification.document.servers)),
      ...noteOnPatterns(inputs.lostPatterns),
      ...noteOnScopes(chosen.filter(({ operation }) => hasOtherScopes(operation, specification, schemes))),
    ],
    groups: new Map(
      (specification.document.tags ?? []).map(({ name = '', description = '' }) => [name, description]),
    ),
    inputs: inputs.definitions,
    outputs: outputs.definitions,
    leftOut: outputs.leftOut,
  };
}

/** One line for all of them: some APIs have the same alternatives everywhere. */
function noteOnScopes(operations: readonly Found[]): string[] {
  const [first, ...others] = operations;
  if (!first) return [];
  const more = others.length === 0 ? '' : ` and of ${others.length} more`;
  return [
    `security of ${first.key}${more} has alternatives with other scopes: callers need the scopes of the first one that has any.`,
  ];
}

function findOperations(specification: Specification): Found[] {
  const paths = Object.entries(specification.document.paths ?? {});
  return paths.flatMap(([path, item]) => {
    if (!path.startsWith('/')) return [];
    const value = wholePath(specification, item);
    return methods.flatMap((method) => {
      const operation = value[method];
      return operation && typeof operation === 'object'
        ? [candidate(specification, path, method, value, operation)]
        : [];
    });
  });
}

/** A path and what it refers to. What is written beside the reference counts, too. */
function wholePath(specification: Specification, item: OrReference<PathItem>): PathItem {
  const { value } = specification.resolve<PathItem>(item);
  if (!isReference(item)) return value;
  const { $ref: _ref, parameters = [], ...own } = item as PathItem & Reference;
  return { ...value, ...own, parameters: [...(value.parameters ?? []), ...parameters] };
}

const newMethods = (specification: Specification): ChosenOperation[] =>
  Object.entries(specification.document.paths ?? {}).flatMap(([path, item]) =>
    newOperations(path, specification.resolve<PathItem>(item).value),
  );

function candidate(
  specification: Specification,
  path: string,
  method: HttpMethod,
  item: PathItem,
  operation: ApiOperation,
): Found {
  const answered = answerOf(specification, operation);
  const { answer, answerKind } = answered;
  const bodies = Object.keys(specification.resolve(operation.requestBody).value.content ?? {});
  const sendsFile = bodies.length > 0 && bodies.every(isFile);
  const parameters = parametersOf(specification, item.parameters, operation.parameters);
  const type = answer && typesOf(specification.resolve<Schema>(answer.schema).value)[0];
  const operationId = operation.operationId || undefined;
  return {
    key: `${method.toUpperCase()} ${path}`,
    operationId,
    path,
    operation,
    ...answered,
    method: method.toUpperCase(),
    tags: (operation.tags ?? []).map(String),
    deprecated: operation.deprecated === true,
    binary: answerKind === 'file' || sendsFile,
    parameters,
    unsupported: unsupportedPart(specification, { method, operation, parameters }),
    servers: operation.servers ?? item.servers,
    returnsList: type === 'array',
  };
}

function groupOf({ tags, path }: Found, groupBy: 'tag' | 'path'): string {
  const [tag] = tags;
  if (groupBy === 'tag' && tag !== undefined && wordsOf(tag).length > 0) return tag;
  const part = withoutNames(path)
    .split('/')
    .find((each) => each !== '' && !/^(?:api|rest|v?\d+(?:\.\d+)*|\{.*)$/i.test(each));
  return part !== undefined && wordsOf(part).length > 0 ? part : 'api';
}
