import type { ConfigurationProblem } from '@toolwright/ground/base/errors/configuration-error';
import { problemAt } from '@toolwright/ground/base/metadata/call-site';
import { findRecord } from '@toolwright/ground/base/metadata/class-records';
import type { DecoratorRecord } from '@toolwright/ground/base/metadata/store';
import type { StandardArgument } from '@toolwright/ground/call/operation/draft';
import {
  PLACE_NOTES,
  markSensitive,
  withDefinitions,
  type JsonSchema,
  type StandardSchema,
  embedSchema,
  isStandardSchema,
  standardJson,
  type MaybePromise,
} from '@toolwright/json';
import type { ManifestEntry } from '@toolwright/manifest';
import type { McpToolOptions } from '../../decorators/mcp-tool.js';
import type { SchemaRecord } from '../../decorators/schema.js';
import { BUILD } from '../manifest/loaded-manifest.js';
import type { InjectedMethod, Parameters } from './injected-parameters.js';
import type { DecoratedMethod } from '../classes/service.js';

/** What the server knows about the arguments of a method after it has read the schemas in its decorators. */
export interface CompletedInput {
  readonly entry: ManifestEntry;
  readonly input: JsonSchema | undefined;
  readonly standard: readonly StandardArgument[] | undefined;
}

/**
 * Replaces what the compiler inferred by the JSON Schema of the Zod, Valibot and ArkType schemas in the
 * decorators of a method. The compiler cannot do this, because it runs no code.
 */
export function completeInput(
  source: InjectedMethod,
  parameters: Parameters,
  problems: ConfigurationProblem[],
): MaybePromise<CompletedInput> {
  const { entry, input, nodes } = parameters;
  const found = findSchemas(source.method, entry, nodes);
  if (found.length === 0 && !source.entry.standard) return { entry, input, standard: undefined };
  return completeBy(found, source, { parameters, problems });
}

async function completeBy(
  found: readonly Found[],
  { name, method, entry: compiled }: InjectedMethod,
  { parameters: { entry, input }, problems }: { parameters: Parameters; problems: ConfigurationProblem[] },
): Promise<CompletedInput> {
  const lost = (compiled.standard ?? []).filter(
    (each) => each !== '' && !found.some((one) => one.argument === '' || one.argument === each),
  );
  if (lost.length > 0 || found.length === 0) problems.push(outdated(name, method));
  const completion = new Completion(entry, input ?? {});
  for (const each of found) {
    const { json, problem } = standardJson(each.schema, 'input');
    if (json) completion.add(each.argument, json, await takesNothing(each));
    else problems.push(unpublishable(describe(each.argument, name), problem, each.site));
  }
  const standard = found.map(({ argument, schema }) => ({
    name: argument,
    schema,
    takesNothing: completion.optional.has(argument),
  }));
  return { entry: withoutRevivals(entry, standard), input: completion.finish(), standard };
}

/** A schema in a decorator, and the argument that it is for; `''` for all arguments. */
interface Found {
  readonly argument: string;
  readonly schema: StandardSchema;
  readonly site: DecoratorRecord['site'] | undefined;
}

function findSchemas(
  { records, offered, parameters }: DecoratedMethod,
  entry: ManifestEntry,
  injected: Parameters['nodes'],
): Found[] {
  const given = findRecord<SchemaRecord>(records, 'schema');
  if (given && isStandardSchema(given.options.schema))
    return [{ argument: '', schema: given.options.schema, site: given.site }];
  const tool = findRecord<McpToolOptions>(offered, 'tool');
  const { inputSchema } = tool?.options ?? {};
  if (isStandardSchema(inputSchema)) return [{ argument: '', schema: inputSchema, site: tool?.site }];
  if (parameters.size === 0) return NONE;
  return [...parameters].flatMap(([index, found]): Found[] => {
    const record = findRecord<SchemaRecord>(found, 'schema');
    const parameter = entry.parameters[index];
    if (!record || !parameter || injected.has(index) || !isStandardSchema(record.options.schema)) return [];
    const argument = parameter.kind === 'input' ? '' : parameter.name;
    return [{ argument, schema: record.options.schema, site: record.site }];
  });
}

const NONE: Found[] = [];

/** Builds the schema of the arguments. */
class Completion {
  readonly optional = new Set<string>();
  #input: JsonSchema;

  constructor(
    private readonly entry: ManifestEntry,
    private readonly inferred: JsonSchema,
  ) {
    this.#input = inferred;
  }

  add(argument: string, json: JsonSchema, isOptional: boolean): void {
    if (isOptional) this.optional.add(argument);
    if (argument === '') this.replace(json);
    else this.replaceProperty(argument, json);
  }

  finish(): JsonSchema {
    // What the compiler inferred may have needed definitions that nothing refers to any more.
    const { $defs, ...own } = this.#input;
    return markSensitive($defs ? withDefinitions(own, { $defs }) : own, 'input');
  }

  /** The arguments of a call are an object, also where a library leaves that to the parts of a union. */
  private replace(json: JsonSchema): void {
    const { schema, $defs } = embedSchema(json, 'Arguments', new Set());
    const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => [
      name,
      withNotes(property, this.inferred.properties?.[name]),
    ]);
    this.#input = {
      type: 'object',
      ...schema,
      ...(properties.length > 0 && {
        properties: Object.fromEntries(properties) as JsonSchema['properties'],
      }),
      ...(Object.keys($defs).length > 0 && { $defs }),
    };
  }

  private replaceProperty(name: string, json: JsonSchema): void {
    const { properties = {}, required = [], $defs: known = {}, ...root } = this.#input;
    const { schema, $defs } = embedSchema(json, name, new Set(Object.keys(known)));
    const parameter = this.entry.parameters.find((each) => each.name === name);
    const isOptional = parameter?.optional === true || this.optional.has(name);
    const needed = required.filter((each) => each !== name);
    if (!isOptional) needed.push(name);
    const all = { ...known, ...$defs };
    this.#input = {
      ...root,
      properties: { ...properties, [name]: withNotes(schema, properties[name]) },
      ...(needed.length > 0 && { required: needed.sort() }),
      ...(Object.keys(all).length > 0 && { $defs: all }),
    };
  }
}

/** What the library says wins over the doc comment. */
function withNotes(schema: JsonSchema, inferred: JsonSchema = {}): JsonSchema {
  const notes = PLACE_NOTES.filter(
    (keyword) => inferred[keyword] !== undefined && schema[keyword] === undefined,
  );
  return notes.length === 0
    ? schema
    : { ...schema, ...Object.fromEntries(notes.map((keyword) => [keyword, inferred[keyword]])) };
}

/**
 * Whether a schema accepts that its argument is left out. No keyword says this about a single value, so the
 * schema itself is asked.
 */
async function takesNothing({ argument, schema }: Found): Promise<boolean> {
  if (argument === '') return false;
  try {
    return !(await schema['~standard'].validate(undefined)).issues;
  } catch {
    return false;
  }
}

/** The schema makes dates and the like itself. */
function withoutRevivals(entry: ManifestEntry, standard: readonly StandardArgument[]): ManifestEntry {
  const { input } = entry.revive;
  if (!input) return entry;
  const isTheirs = (name: string) => standard.some((each) => each.name === '' || each.name === name);
  const kept = Object.entries(input).filter(([name]) => !isTheirs(name));
  return { ...entry, revive: { ...entry.revive, input: Object.fromEntries(kept) } };
}

function describe(argument: string, method: string): string {
  return argument === '' ? `The input schema of ${method}` : `The schema of ${argument} of ${method}`;
}

/** A schema that cannot be published. */
export function unpublishable(
  subject: string,
  { what, fix }: { what: string; fix: string },
  site: DecoratorRecord['site'] | undefined,
): ConfigurationProblem {
  return problemAt(site, 'TW_SCHEMA_STANDARD', { message: `${subject} ${what}.`.replace(/\.\.$/, '.'), fix });
}

function outdated(name: string, { records }: DecoratedMethod): ConfigurationProblem {
  return problemAt(records[0]?.site, 'TW_MANIFEST_STALE', {
    message: `The manifest says that a schema of Zod, Valibot or ArkType decides the arguments of ${name}, and the running class has none.`,
    fix: BUILD,
  });
}
