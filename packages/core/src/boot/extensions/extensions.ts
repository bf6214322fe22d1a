import { ConfigurationError, type ConfigurationProblem } from '../../base/errors/configuration-error.js';
import { type ClassRecords, collectRecords, decoratorName } from '../../base/metadata/class-records.js';
import type { AnyClass, DecoratorRecord } from '../../base/metadata/store.js';
import { type AnyOptionSchema, findOptionProblems, optionProblem } from '../../base/options/option-schema.js';
import { anything } from '../../base/options/rules.js';
import type { Environment } from '../../call/environment.js';
import { mcpServiceOptions } from '../../decorators/mcp-service.js';
import { mcpToolOptions } from '../../decorators/mcp-tool.js';
import { PolicyValue } from '../../policies/define-policy.js';
import type { Guard } from '../../policies/guard.js';
import { addGuards, guardsOf } from '../../policies/guards.js';
import { auditPrincipal, writeUnawaited } from '../../call/security/watched-audit-sink.js';
import type { ClaimStore } from '../../ports/claim-store.js';
import type { Clock } from '../../ports/clock-and-ids.js';
import type { Logger } from '../../ports/logger.js';
import type { ServerStores } from '../../ports/server-stores.js';
import { isOwnMethod } from '../../wire/revisions.js';
import type { Additions, ListView } from '../../requests/additions.js';
import type { BootContext } from '../../ports/boot-context.js';
import type { BackgroundMethods } from '../../tasks/background-methods.js';
import type {
  BackgroundPart,
  Extension,
  ExtensionGuard,
  ExtensionHost,
  ExtensionParts,
  ManifestField,
  PackageRecord,
} from './extension.js';
import { optionalPackages } from './load-packages.js';

/** The extensions that come with decorators on these classes and on their methods. */
export function extensionsOn(targets: readonly AnyClass[]): Extension<never>[] {
  const found = new Map<string, Extension<never>>();
  for (const { records, methods } of targets.map(collectRecords))
    for (const record of [records, ...methods.map((method) => method.records)].flat()) {
      const { options } = record;
      const extension = options instanceof PolicyValue ? options.definition.extension : record.extension;
      if (extension) found.set(extension.name, extension as Extension<never>);
    }
  return [...found.values()];
}

/** What extensions use of their server. */
interface ExtensionPorts {
  /** The options of `createMcpServer`. */
  readonly options: object;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly additions: Additions;
  readonly background: BackgroundMethods;
  /** Packages are called in it, whoever has added the service that brings them. */
  readonly boot: BootContext;
  readonly stores: ServerStores;
  readonly claims: ClaimStore;
  /** The option `secrets`, or what the stores bring in its place. */
  readonly secrets: readonly string[] | undefined;
  readonly manifests: {
    /** What the build step of a package has left in the manifests that are loaded by now. */
    fields(name: string): readonly ManifestField[];
  };
}

/** The server that extensions are started in. */
interface Attached {
  readonly server: object;
  /** Plans all chains again, with the guards that were added. */
  replan(): void;
  readonly listed: ListView;
  counter: ExtensionHost<never>['counter'];
  duration: ExtensionHost<never>['duration'];
}

/** The extensions of each server. */
const servers = new WeakMap<object, Extensions>();

/** The extensions of one server. */
export class Extensions implements ExtraRules {
  toolRules: AnyOptionSchema = {};
  serviceRules: AnyOptionSchema = {};
  readonly #started = new Map<string, Promise<ExtensionParts>>();
  readonly #parts: ExtensionParts[] = [];
  #attached!: Attached;
  #isReady = false;

  constructor(private readonly ports: ExtensionPorts) {}

  /** The extensions of this server. */
  static of(server: object): Extensions {
    return servers.get(server)!;
  }

  get additions(): Additions {
    return this.ports.additions;
  }

  attach(attached: Attached): void {
    this.#attached = attached;
    servers.set(attached.server, this);
  }

  /**
   * Starts an extension, unless the server has started it before.
   *
   * @returns what `start` returned, the first time
   * @throws {ConfigurationError} when something that it adds is there already
   */
  start<Parts extends ExtensionParts>(extension: Extension<never, Parts>): Promise<Parts> {
    const { name } = extension;
    const known = this.#started.get(name) as Promise<Parts> | undefined;
    if (known) return known;
    const starting = this.#start(extension);
    this.#started.set(name, starting);
    // After a failure it may be started again.
    void starting.catch(() => this.#started.delete(name));
    return starting;
  }

  /** What runs the methods with a decorator of a package. The package is started if it was not. */
  async backgroundOf({ extension }: DecoratorRecord): Promise<BackgroundPart | undefined> {
    return extension && (await this.start(extension as Extension<never>)).background;
  }

  /** Tells all that the boot is over. */
  async ready(): Promise<void> {
    this.#isReady = true;
    for (const parts of [...this.#parts]) await this.ports.boot.run(() => parts.ready?.());
  }

  /** Closes all, the last one first. The first error is thrown when all are closed. */
  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (const parts of this.#parts.splice(0).reverse())
      await (async () => parts.close?.())().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }

  async #start<Parts extends ExtensionParts>(extension: Extension<never, Parts>): Promise<Parts> {
    const { name, options = {}, toolOptions = {}, serviceOptions = {} } = extension;
    const {
      clock,
      logger,
      options: given,
      manifests,
      background,
      boot,
      stores,
      claims,
      secrets,
    } = this.ports;
    failOnTaken(name, [
      ...taken('option', toolOptions, { ...mcpToolOptions, ...this.toolRules }, ' of @McpTool'),
      ...taken('option', serviceOptions, { ...mcpServiceOptions, ...this.serviceRules }, ' of @McpService'),
    ]);
    const values = Object.entries(given).filter(([key, value]) => key in options && value !== undefined);
    const { server, counter, duration, listed } = this.#attached;
    const host = {
      server: server as never,
      options: Object.fromEntries(values),
      clock,
      logger,
      counter,
      duration,
      ticks: background.ticks,
      stores: { ...stores, claims },
      secrets,
      listed,
      record: (entry: PackageRecord) => this.#record(entry),
      alarm: (event: Parameters<ExtensionHost<never>['alarm']>[0]) =>
        this.ports.environment.options.onSecurity?.({ ...event, count: 1, time: clock.now() }),
      manifestFields: () => manifests.fields(name),
    };
    const parts = await boot.run(() => extension.start(host));
    this.#add(name, parts);
    this.toolRules = { ...this.toolRules, ...toolOptions };
    this.serviceRules = { ...this.serviceRules, ...serviceOptions };
    this.#parts.push(parts);
    if (this.#isReady) await this.ports.boot.run(() => parts.ready?.());
    return parts;
  }

  #record({ operation, name, outcome, principal, fields }: PackageRecord): void {
    const { environment, clock } = this.ports;
    const { audit, ids } = environment;
    const time = clock.now();
    const id = ids.uuid(time);
    const event = {
      ...({
        id,
        callId: id,
        time,
        event: 'outcome',
        operation,
        name,
        contract: '',
        annotations: {},
      } as const),
      ...{ principal: auditPrincipal(principal, audit), client: null, revision: '' },
      ...{ arguments: fields, loggable: { ...fields }, outcome },
    };
    writeUnawaited(audit, event);
  }

  /** Adds all parts, or none. */
  #add(name: string, parts: ExtensionParts): void {
    const {
      guards = [],
      context = {},
      methods = [],
      background,
      state,
      operator,
      approve,
      ...protocol
    } = parts;
    const { environment, additions, background: runs } = this.ports;
    const { capabilities = [], lists = {} } = protocol;
    const present = guardsOf(environment.options);
    failOnTaken(name, [
      ...guards.flatMap((guard) => takenPlace(guard, present)),
      ...additions.findTaken({ methods, capabilities }, isOwnMethod),
      ...Object.keys(context)
        .filter((member) => !environment.contexts.isFree(member))
        .map((member) => `the member "${member}" of ToolContext`),
      ...Object.keys(state ?? {})
        .filter((list) => additions.hasState(list))
        .map((list) => `the list "${list}" of the state`),
      ...Object.keys(operator ?? {})
        .filter((method) => additions.operatorMethods().has(method))
        .map((method) => `the method "${method}" for operators`),
      ...(background && runs.has(background.noun)
        ? [`background methods with the noun "${background.noun}"`]
        : []),
      ...(approve && environment.approvals.ask ? ['the page on which people approve calls'] : []),
      ...(parts.forward && additions.forwards ? ['what forwards calls of tools'] : []),
    ]);
    if (approve) environment.approvals.ask = approve;
    environment.contexts.add(context);
    const drain = parts.drain?.bind(parts);
    const before = parts.beforeLists?.bind(parts);
    const watched = parts.watched?.bind(parts);
    const forward = parts.forward?.bind(parts);
    const upstreams = parts.upstreams?.bind(parts);
    const work = { state, operator, drain, watched, upstreams };
    additions.add({ methods, capabilities, lists, before, forward, work });
    if (background) runs.addSource(background);
    if (guards.length === 0) return;
    addGuards(environment.options, guards.map(asGuard));
    this.#attached.replan();
  }
}

function asGuard({ plan, visible, ...guard }: ExtensionGuard): Guard {
  return {
    ...guard,
    ...(visible && { visible, mayHide: () => true }),
    ...(plan && {
      plan: (draft) => {
        const planned = plan(draft as never);
        return planned && { origin: 'default', ...planned };
      },
    }),
  };
}

function takenPlace({ name, position }: ExtensionGuard, present: readonly Guard[]): string[] {
  return present.flatMap((guard) => {
    if (guard.name === name) return [`the guard "${name}"`];
    return guard.position === position
      ? [`the position ${position}, which the guard "${guard.name}" has`]
      : [];
  });
}

function taken(what: string, wanted: AnyOptionSchema, present: AnyOptionSchema, where: string): string[] {
  return Object.keys(wanted)
    .filter((key) => Object.hasOwn(present, key))
    .map((key) => `the ${what} "${key}"${where}`);
}

function failOnTaken(name: string, all: readonly string[]): void {
  if (all.length === 0) return;
  throw new ConfigurationError(
    all.map((what) => ({
      code: 'TW_EXTENSION_INVALID',
      message: `The package ${name} adds ${what}, and this server has it already.`,
      fix: `Use only one of the packages that add it, or a version of ${name} that fits this version of @toolwright/core.`,
    })),
  );
}

/** The rules of the options that packages have added to decorators, in one server. */
export interface ExtraRules {
  readonly toolRules: AnyOptionSchema;
  readonly serviceRules: AnyOptionSchema;
}

type Extra = Readonly<Record<string, unknown>>;

/** Options of packages that core would load. A server without the package ignores them. */
const ignored = (names: readonly string[]): AnyOptionSchema =>
  Object.fromEntries(names.map((name) => [name, anything]));
const ignoredOfTools = ignored(optionalPackages.flatMap(({ toolOptions = [] }) => toolOptions));
const ignoredOfServices = ignored(optionalPackages.flatMap(({ serviceOptions = [] }) => serviceOptions));

/** The rules of the options of `server.tools.add` and its siblings, with the options that packages have added. */
export function withExtraRules(schema: AnyOptionSchema, { toolRules }: ExtraRules): AnyOptionSchema {
  return { ...ignoredOfTools, ...toolRules, ...schema };
}

/** Checks the options of `@McpTool` and `@McpService` that core does not know itself. */
export function findExtraProblems(
  { records, methods }: ClassRecords,
  { toolRules, serviceRules }: ExtraRules,
): ConfigurationProblem[] {
  const all = [...records, ...methods.flatMap((method) => method.records)];
  return all.flatMap((record) => {
    const { kind, schema, options, site } = record;
    if (!schema || (kind !== 'tool' && kind !== 'service')) return [];
    const extra = Object.entries(options as object).filter(([name]) => !Object.hasOwn(schema, name));
    if (extra.length === 0) return [];
    const rules =
      kind === 'tool' ? { ...ignoredOfTools, ...toolRules } : { ...ignoredOfServices, ...serviceRules };
    const own = Object.fromEntries(extra.map(([name]) => [name, (options as Extra)[name]]));
    // A message about an unknown option names all existing options.
    return findOptionProblems({ ...optional(schema), ...rules }, own, { owner: decoratorName(kind) }).map(
      (problem) => ({ ...optionProblem(problem), ...(site.location && { location: site.location }) }),
    );
  });
}

/** The values of added options. They replace the values of the class. */
export function extraOf(options: object, rules: AnyOptionSchema, outer?: Extra): Extra | undefined {
  const own = Object.keys(rules).flatMap((name) =>
    Object.hasOwn(options, name) ? [[name, (options as Extra)[name]] as const] : [],
  );
  if (own.length === 0) return outer;
  return { ...outer, ...Object.fromEntries(own) };
}

/** What a service and one of its decorators say in added options. */
export function extraOfMethod(
  { records }: ClassRecords,
  record: DecoratorRecord,
  { toolRules, serviceRules }: ExtraRules,
): Extra | undefined {
  const service = records.find(({ kind }) => kind === 'service');
  const outer = service && extraOf(service.options as object, serviceRules);
  return record.kind === 'tool' ? extraOf(record.options as object, toolRules, outer) : outer;
}

function optional(schema: AnyOptionSchema): AnyOptionSchema {
  return Object.fromEntries(
    Object.entries(schema).map(([name, rule]) => [name, { ...rule, required: false }]),
  );
}
