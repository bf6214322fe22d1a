import { ConfigurationError } from '@toolwright/ground/base/errors/configuration-error';
import { collectRecords } from '@toolwright/ground/base/metadata/class-records';
import type { AnyClass, DecoratorRecord } from '@toolwright/ground/base/metadata/store';
import type { AnyOptionSchema } from '@toolwright/ground/base/options/option-schema';
import { SlotPool } from '@toolwright/ground/call/limits/slot-pool';
import { withBareName } from '@toolwright/ground/call/operation/names';
import type { Planned } from '@toolwright/ground/call/operation/operation';
import {
  auditPrincipal,
  eventRecord,
  writeUnawaited,
} from '@toolwright/ground/call/security/watched-audit-sink';
import { reasonOf } from '@toolwright/json';
import { isOwnMethod } from '@toolwright/wire/revisions';
import { mcpServiceOptions } from '../../decorators/mcp-service.js';
import { mcpToolOptions } from '../../decorators/mcp-tool.js';
import { isPolicyValue } from '../../policies/define-policy.js';
import type { BuiltInGuard, Guard } from '../../policies/guard.js';
import { addGuards, guardsOf } from '../../policies/guards.js';
import type { ServedProtocol, ServerHost } from '../../protocol/served-protocol.js';
import { innerCallsOf } from '../../requests/inner-calls.js';
import { listingsOf } from '../../requests/lists/list-pages.js';
import type { Manifests } from '../manifest/load-manifests.js';
import type { AddedRules } from './load-packages.js';
import type { BackgroundPart, Extension, ExtensionHost, ExtensionParts, PackageRecord } from './extension.js';

/** The extensions that come with decorators on these classes and on their methods. */
export function extensionsOn(targets: readonly AnyClass[]): Extension<never>[] {
  const found = new Map<string, Extension<never>>();
  for (const { records, methods } of targets.map(collectRecords))
    for (const record of [records, ...methods.map((method) => method.records)].flat()) {
      const { options } = record;
      const extension =
        record.kind === 'policy' && isPolicyValue(options) ? options.definition.extension : record.extension;
      if (extension) found.set(extension.name, extension as Extension<never>);
    }
  return [...found.values()];
}

/** The extensions of each server. */
const servers = new WeakMap<object, Extensions>();

/** The extensions of one server. */
export class Extensions implements AddedRules {
  toolRules: AnyOptionSchema = {};
  serviceRules: AnyOptionSchema = {};
  readonly #started = new Map<string, { by: Extension<never>; parts: Promise<ExtensionParts> }>();
  readonly #parts: ExtensionParts[] = [];
  #server!: object;
  #replan!: () => void;
  #isReady = false;

  /** @param host its protocol is there before the first extension is started */
  constructor(
    private readonly host: ServerHost & { readonly protocol: ServedProtocol; readonly manifests: Manifests },
  ) {}

  /** The extensions of this server. */
  static of(server: object): Extensions {
    return servers.get(server)!;
  }

  /**
   * @param server what users hold of it
   * @param replan plans all chains again, with the guards that were added
   */
  attach(server: object, replan: () => void): void {
    this.#server = server;
    this.#replan = replan;
    servers.set(server, this);
  }

  /**
   * Starts an extension, unless the server has started it before.
   *
   * @returns what `start` returned, the first time
   * @throws {ConfigurationError} when something that it adds is there already, or another one with settings of its own
   */
  start<Parts extends ExtensionParts>(extension: Extension<never, Parts>): Promise<Parts> {
    const { name } = extension;
    const known = this.#started.get(name);
    if (known && known.by !== extension && extension.hasSettings) return Promise.reject(addedTwice(name));
    if (known) return known.parts as Promise<Parts>;
    const starting = this.#start(extension).catch((error: unknown) => this.#leftOut<Parts>(name, error));
    this.#started.set(name, { by: extension, parts: starting });
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
    for (const parts of [...this.#parts]) await this.host.boot.run(() => parts.ready?.());
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
    const { host, toolRules, serviceRules } = this;
    const { boot, additions, background, registry } = host;
    const { telemetry } = host.protocol.engine;
    failOnTaken(name, [
      ...takenOptions(toolOptions, { ...mcpToolOptions, ...toolRules }, ' of @McpTool'),
      ...takenOptions(serviceOptions, { ...mcpServiceOptions, ...serviceRules }, ' of @McpService'),
    ]);
    const given = Object.entries(host.options).filter(
      ([key, value]) => key in options && value !== undefined,
    );
    const seen: ExtensionHost<never> = {
      server: this.#server as never,
      options: Object.fromEntries(given),
      clock: boot.clock(host.clock),
      logger: host.logger,
      counter: (counted, described) => telemetry.counter(counted, described),
      duration: (measured, description) => telemetry.duration(measured, description),
      ticks: background.ticks,
      stores: { ...host.stores, claims: host.claims },
      secrets: host.secrets,
      listed: listingsOf({ registry, additions }),
      calls: innerCallsOf(host.protocol.engine),
      answerMs: host.answerMs,
      callsAtATime: host.slots?.limits.perKey ?? Number.POSITIVE_INFINITY,
      places: (total) => {
        const pool = new SlotPool({ perKey: total, total, queue: Number.POSITIVE_INFINITY });
        return (key, signal) => pool.acquire({ key, signal: () => signal });
      },
      record: (entry) => this.#record(entry),
      alarm: (event) => host.options.onSecurity?.({ ...event, count: 1, time: host.clock.now() }),
      manifestFields: () => host.manifests.fields(name),
    };
    const parts = await boot.run(() => extension.start(seen));
    this.#add(name, parts);
    this.toolRules = { ...this.toolRules, ...toolOptions };
    this.serviceRules = { ...this.serviceRules, ...serviceOptions };
    this.#parts.push(parts);
    if (this.#isReady) await this.host.boot.run(() => parts.ready?.());
    return parts;
  }

  /**
   * Adds all parts of a package, or none.
   *
   * @throws {ConfigurationError} when something is there already
   */
  #add(name: string, parts: ExtensionParts): void {
    const { guards = [], context = {}, background, state, operator, approve } = parts;
    const { additions, background: runs } = this.host;
    const present = guardsOf(this.host);
    failOnTaken(name, [
      ...guards.flatMap((guard) => takenPlace(guard, present)),
      ...additions.findTaken(parts, isOwnMethod),
      ...Object.keys(context)
        .filter((member) => !this.host.contexts.isFree(member))
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
      ...(approve && this.host.approvals.ask ? ['the page on which people approve calls'] : []),
      ...additions
        .described(Object.keys(parts.describe ?? {}))
        .map((tool) => `what lists say of the tool "${tool}"`),
      ...(parts.forward && additions.forwards ? ['what forwards calls of tools'] : []),
    ]);
    if (approve) this.host.approvals.ask = approve;
    this.host.contexts.add(context);
    additions.add(parts);
    if (background) runs.addSource(background);
    if (guards.length === 0) return;
    addGuards(this.host, guards.map(asBuiltIn));
    this.#replan();
  }

  /**
   * A package whose decorators are used may need options that only the server of the application has.
   *
   * @throws {unknown} the error, unless the server is a stand-in for that one
   */
  #leftOut<Parts extends ExtensionParts>(name: string, error: unknown): Parts {
    const { unmet } = this.host;
    if (!unmet) throw error;
    const message = `The package ${name} does not start: ${reasonOf(error)}`;
    const fix = `Give createMcpServer the options of ${name}.`;
    const problems =
      error instanceof ConfigurationError
        ? error.problems
        : [{ code: 'TW_EXTENSION_INVALID', message, fix } as const];
    for (const problem of problems) unmet({ ...problem, lacks: `the options of ${name}` });
    return {} as Parts;
  }

  #record({ operation, name, outcome, principal, approver, fields }: PackageRecord): void {
    const { audit } = this.host;
    const event = eventRecord(this.host, {
      event: 'outcome',
      operation,
      name,
      principal: auditPrincipal(principal, audit),
      arguments: fields,
      loggable: { ...fields },
      outcome,
    });
    const by = auditPrincipal(approver, audit);
    writeUnawaited(audit, by ? { ...event, approver: by } : event);
  }
}

/** A rule of a package is about all versions of a tool. */
function asBuiltIn({ plan, planCompletion, visible, ...guard }: Guard): BuiltInGuard {
  return {
    ...guard,
    ...(visible && { visible: (operation, ...rest) => visible(withBareName(operation), ...rest) }),
    ...(plan && { plan: (draft) => plan(withBareName(draft as Planned)) }),
    ...(planCompletion && { planCompletion: (draft) => planCompletion(withBareName(draft as Planned)) }),
  };
}

function takenPlace({ name, position }: Guard, present: readonly BuiltInGuard[]): string[] {
  return present.flatMap((guard) => {
    if (guard.name === name) return [`the guard "${name}"`];
    return guard.position === position
      ? [`the position ${position}, which the guard "${guard.name}" has`]
      : [];
  });
}

/** The options that a package adds although they are there. */
function takenOptions(wanted: AnyOptionSchema, present: AnyOptionSchema, of: string): string[] {
  const names = Object.keys(wanted).filter((key) => Object.hasOwn(present, key));
  return names.map((key) => `the option "${key}"${of}`);
}

/** @throws {ConfigurationError} when a package adds something that is there */
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

/** The settings of the second one would count for nothing. */
function addedTwice(name: string): ConfigurationError {
  return new ConfigurationError({
    code: 'TW_EXTENSION_INVALID',
    message: `${name} is added to this server a second time, with settings of its own, and only the first ones would count.`,
    fix: 'Add it once, with settings for all that the server does.',
  });
}
