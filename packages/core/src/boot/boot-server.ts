import { ConfigurationError, type ConfigurationProblem } from '../base/errors/configuration-error.js';
import type { AnyClass } from '../base/metadata/store.js';
import type { AttachedMiddleware, PipelineOptions } from '../call/call-options.js';
import { ToolContext } from '../call/context/tool-context.js';
import { type Environment, createEnvironment } from '../call/environment.js';
import { type ToolDraft, locationOf } from '../call/operation/draft.js';
import type { Middleware } from '../call/operation/operation.js';
import type { SecurityEvent, SecurityListener } from '../call/security/security-monitor.js';
import { WatchedAuditSink } from '../call/security/watched-audit-sink.js';
import type { Binding } from '../container/binding.js';
import { Container } from '../container/container.js';
import { Kernel } from '../container/kernel.js';
import { BootContext } from '../ports/boot-context.js';
import { MemoryClaimStore, TimedClaimStore } from '../ports/claim-store.js';
import { systemClock } from '../ports/clock.js';
import { MemoryEventBus } from '../ports/event-bus.js';
import { type Logger, ambientLogger, loggerWithFields, stderrLogger } from '../ports/logger.js';
import type { ServerStores } from '../ports/server-stores.js';
import { servesStateful } from '../protocol/protocol-options.js';
import { findHiddenText } from './checks/find-hidden-text.js';
import { SecurityPosture } from './checks/security-posture.js';
import { ClassFinder } from './classes/class-finder.js';
import { publishedServer } from './kinds/kinds.js';
import { Manifests } from './manifest/load-manifests.js';
import { findFileOptions, findServerOptionProblems } from './options/find-option-problems.js';
import { prepareAudit } from './options/open-audit.js';
import type { ServerOptions } from './options/server-options.js';
import { storesOf, withStores } from './options/shared-stores.js';
import {
  type ServerRegistry,
  createRegistry,
  pipelinePlanner,
  visibilityOf,
} from './registry/server-registry.js';
import type { BindingContext } from './services/bound-service.js';
import { ConstructorTypeLoader } from './services/constructor-types.js';
import { findServices } from './services/find-services.js';
import { QuestionRegistry } from './services/question-registry.js';

/** The parts of a running server, without the protocol. */
export interface BootedServer {
  /** The options, with the shared stores in their places. */
  readonly options: ServerOptions;
  readonly stores: ServerStores;
  readonly binding: BindingContext;
  readonly registry: ServerRegistry;
  readonly environment: Environment;
  readonly ports: ReturnType<typeof portsOf> & Pick<ServerStores, 'leases' | 'cache'>;
  readonly targets: readonly AnyClass[];
  /** The middleware that plans are made from. Added middleware counts from the next planning on. */
  readonly middleware: (Middleware | AttachedMiddleware)[];
  readonly securityListeners: Set<SecurityListener>;
  readonly audit: WatchedAuditSink | false;
  readonly posture: SecurityPosture;
}

/**
 * Prepares everything that does not depend on a single service: ports, manifests, container, pipeline.
 *
 * @param application the file that asks for the server
 * @throws {ConfigurationError} when options are wrong, or manifests and modules cannot be read
 */
export async function bootServer(
  given: ServerOptions,
  application: string | undefined,
): Promise<BootedServer> {
  failOn(findFileOptions(given));
  const auditOpening = await prepareAudit(given.audit, application);
  failOn([...findServerOptionProblems(given), ...auditOpening.problems]);
  const stores = storesOf(given);
  const options = withStores(given, stores);
  failOn(findHiddenInServer(options));
  const problems: ConfigurationProblem[] = [];
  const manifests = new Manifests(options.manifestHash);
  await manifests.add([options.manifest ?? []].flat());
  const targets = await findServices(options, manifests, problems);
  failOn([...manifests.takeProblems(), ...problems]);
  const boot = new BootContext();
  const ports = { ...portsOf(options, stores, boot), ...sharedBy(stores) };
  // Stores set timers while requests wait for them, and what those do is for all callers.
  const storePorts = { clock: boot.clock(ports.clock), logger: ports.logger };
  await stores.open?.(storePorts);
  await options.tasks?.queue?.open?.(storePorts);
  warnAboutClaims(options, ports.logger);
  if (endsWithProcess(options))
    ports.logger.info(
      { option: 'sessions.secrets' },
      'Sessions of clients with a handshake end with this process. With secrets they survive a restart.',
    );
  const opened = await auditOpening.open(ports);
  const audit = opened && new WatchedAuditSink(opened, ports);
  const middleware = [...(options.middleware ?? [])];
  const securityListeners = new Set<SecurityListener>();
  const onSecurity = (event: SecurityEvent) => securityListeners.forEach((listener) => listener(event));
  const posture = new SecurityPosture(options);
  const pipelineOptions: PipelineOptions = {
    ...pick({ ...options, output: posture.output }),
    audit,
    middleware,
    onSecurity,
  };
  const environment = createEnvironment(pipelineOptions, ports);
  const registry = createRegistry(pipelinePlanner(environment), visibilityOf(pipelineOptions));
  return {
    options,
    stores,
    binding: {
      ...bindingContextOf(options, manifests, ports.logger),
      anyProcess: stores.anyProcess === true,
    },
    registry,
    environment,
    ports,
    targets,
    middleware,
    securityListeners,
    audit,
    posture,
  };
}

/** Limits of tools count for all processes also where the server itself has none (`rateLimit: false`). */
function sharedBy({ leases, cache, rateLimiter }: ServerStores) {
  return { leases, cache, limiter: rateLimiter };
}

/** True when a restart ends the sessions of the older revisions. */
function endsWithProcess({ sessions = {}, ...options }: ServerOptions): boolean {
  return servesStateful(options) && sessions !== false && !sessions.secrets;
}

/** Models also read what clients are told about the server itself. */
function findHiddenInServer(options: ServerOptions): ConfigurationProblem[] {
  return findHiddenText(publishedServer(options)).map(({ place, character }) => ({
    code: 'TW_TEXT_HIDDEN',
    message: `The option "${place}" of the server has the hidden character ${character}.`,
    fix: 'Remove it, because models read it and reviewers cannot see it.',
  }));
}

function portsOf(options: ServerOptions, stores: ServerStores, boot: BootContext) {
  const { name, clock = systemClock, instanceId, bus, ids } = options;
  const { claims, ttlMs, secrets } = options.requestState ?? {};
  const { endedSessions = claims } = stores;
  const plain = options.logger ?? ambientLogger() ?? stderrLogger();
  const logger = instanceId === undefined ? plain : loggerWithFields(plain, { instance: instanceId });
  return {
    clock,
    logger,
    bus: boot.bus(bus ?? new MemoryEventBus()),
    isBusShared: bus !== undefined,
    claims: new TimedClaimStore(claims ?? new MemoryClaimStore(clock), clock),
    // In memory, the number of claims is limited. Anybody can open and end sessions, so they have their own.
    endedSessions: new TimedClaimStore(endedSessions ?? new MemoryClaimStore(clock), clock),
    secrets,
    server: name,
    ...(ids && { ids }),
    ...(ttlMs !== undefined && { answerMs: ttlMs }),
  };
}

function bindingContextOf(
  { providers = [], resolver, ...options }: ServerOptions,
  manifests: Manifests,
  logger: Logger,
): Omit<BindingContext, 'anyProcess'> {
  const finder = new ClassFinder(manifests, () => container.classes());
  const constructorTypes = new ConstructorTypeLoader(finder, () => container);
  const container: Container = new Container(constructorTypes.types, resolver);
  container.bind(contextBinding);
  for (const provider of providers) container.provide(provider);
  const failed = (err: unknown) => logger.error({ err }, 'What a session kept could not be disposed');
  const kernel = new Kernel(failed);
  const questions = new QuestionRegistry();
  const hasSessions = servesStateful(options);
  const hasTaskQueue = options.tasks?.queue !== undefined;
  return { hasSessions, hasTaskQueue, manifests, container, kernel, finder, constructorTypes, questions };
}

/** The options that only the pipeline uses. */
function pick(options: ServerOptions): Omit<PipelineOptions, 'audit' | 'onSecurity' | 'middleware'> {
  const { rateLimit, concurrency, abandonedWork, timeout, authorize, mayRead } = options;
  const { confirmDestructive, validation, coerce, output } = options;
  const own = {
    rateLimit,
    concurrency,
    abandonedWork,
    timeout,
    authorize,
    mayRead,
    confirmDestructive,
    validation,
    coerce,
    output,
  };
  return Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
}

function failOn(problems: readonly ConfigurationProblem[]): void {
  if (problems.length > 0) throw new ConfigurationError(problems);
}

/**
 * The property of `globalThis` in which a module that was loaded with `node --require` leaves a function. It
 * is called with each new server. `toolwright dev` finds the services in this way, and replaces them while
 * they are edited.
 */
const SERVER_OBSERVER = Symbol.for('toolwright.serverObserver');

type Holder<Server> = { [SERVER_OBSERVER]?: (server: Server) => void };

/** Calls the function that such a module left, if any. */
export function announceServer<Server extends object>(server: Server): void {
  (globalThis as Holder<Server>)[SERVER_OBSERVER]?.(server);
}

/** Warns about tools that models will use badly, because a model only knows what a tool says about itself. */
export function warnAboutTools(tools: readonly ToolDraft[], logger: Logger): void {
  for (const tool of tools) {
    const { name, description, annotations } = tool;
    if (!description) {
      logger.warn(
        { tool: name, ...locationOf(tool) },
        `The tool "${name}" has no description; write a doc comment above it.`,
      );
    }
    if (isEmpty(annotations)) {
      logger.warn(
        { tool: name, ...locationOf(tool) },
        `The tool "${name}" has no annotations. Set at least readOnlyHint or destructiveHint.`,
      );
    }
  }
}

/** A worker asks `authorize` again, and a task keeps no claim of its caller that nobody has named. */
function warnAboutClaims({ tasks, authorize }: ServerOptions, logger: Logger): void {
  if (!tasks?.queue || !authorize || tasks.claims !== undefined) return;
  logger.warn(
    { option: 'tasks.claims' },
    'Workers ask authorize() again, and a queued task keeps no claims of its caller. If authorize() reads claims, ' +
      'name them in tasks.claims, or it refuses tasks that it has let begin. If it reads none, set tasks.claims to [].',
  );
}

/** Object.keys would create an array for each of a thousand tools. */
function isEmpty(object: object): boolean {
  for (const _key in object) return false;
  return true;
}

/** Lets services in request scope get the context of their call injected. */
const contextBinding: Binding = {
  token: ToolContext,
  scope: 'request',
  dependencies: [],
  owned: false,
  create: (_, call) => call?.context,
};
