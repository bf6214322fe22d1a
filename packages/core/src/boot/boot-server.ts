import {
  ConfigurationError,
  type ConfigurationProblem,
  type ReportUnmet,
} from '../base/errors/configuration-error.js';
import type { AnyClass } from '../base/metadata/store.js';
import type { AttachedMiddleware } from '../call/call-options.js';
import { ToolContext } from '../call/context/tool-context.js';
import { type Environment, createEnvironment } from '../call/environment.js';
import type { Middleware } from '../call/operation/operation.js';
import type { SecurityEvent, SecurityListener } from '../call/security/security-monitor.js';
import { WatchedAuditSink } from '../call/security/watched-audit-sink.js';
import type { Binding } from '../container/binding.js';
import { Container } from '../container/container.js';
import { Kernel } from '../container/kernel.js';
import { BootContext } from '../ports/boot-context.js';
import { MemoryClaimStore, TimedClaimStore } from '../ports/claim-store.js';
import { type Clock, systemClock } from '../ports/clock-and-ids.js';
import { MemoryEventBus } from '../ports/event-bus.js';
import { type Logger, ambientLogger, loggerWithFields, readLogger, stderrLogger } from '../ports/logger.js';
import type { ServerStores } from '../ports/server-stores.js';
import { servesStateful } from '../protocol/protocol-options.js';
import { findHiddenText } from './checks/find-hidden-text.js';
import { SecurityPosture } from './checks/security-posture.js';
import { ClassFinder } from './classes/class-finder.js';
import { Manifests } from './manifest/load-manifests.js';
import { findFileOptions, findServerOptionProblems } from './options/find-option-problems.js';
import { Additions } from '../requests/additions.js';
import type { Extension } from './extensions/extension.js';
import { Extensions, extensionsOn } from './extensions/extensions.js';
import { loadPackages, packageRules, prepareAudit } from './extensions/load-packages.js';
import type { ServerOptions } from './options/server-options.js';
import { queueOf, secretsOf, storesOf } from './options/shared-stores.js';
import { pipelinePlanner } from './registry/kinds.js';
import { type ServerRegistry, createRegistry, visibilityOf } from './registry/server-registry.js';
import type { BindingContext } from './services/bound-service.js';
import { ConstructorTypeLoader } from './services/constructor-types.js';
import { findServices } from './services/find-services.js';
import { BackgroundMethods } from '../tasks/background-methods.js';
import { QuestionRegistry } from './services/type-table.js';

/** The parts of a running server, without the protocol. */
export interface BootedServer {
  readonly options: ServerOptions;
  readonly stores: ServerStores;
  readonly ports: ReturnType<typeof portsOf>;
  readonly audit: WatchedAuditSink | false;
  readonly posture: SecurityPosture;
  readonly environment: Environment;
  readonly registry: ServerRegistry;
  readonly binding: BindingContext;
  /** The classes to serve. */
  readonly targets: readonly AnyClass[];
  /** The middleware that plans are made from. Added middleware takes effect at the next planning. */
  readonly middleware: (Middleware | AttachedMiddleware)[];
  readonly securityListeners: Set<SecurityListener>;
  /** What packages add. */
  readonly extensions: Extensions;
  /** The methods that packages run. */
  readonly background: BackgroundMethods;
  /** The extensions that the options ask for. */
  readonly packages: readonly Extension<never>[];
}

/**
 * Prepares everything that does not depend on a single service: options, manifests, ports, pipeline, container.
 *
 * @param application the file that asks for the server
 * @param unmet present for a stand-in for the server of an application
 * @throws {ConfigurationError} when options are wrong, or manifests and modules cannot be read
 */
export async function bootServer(
  options: ServerOptions,
  application: string | undefined,
  unmet?: ReportUnmet,
): Promise<BootedServer> {
  failOn(findFileOptions(options));
  const auditOpening = await prepareAudit(options.audit, application);
  const decorated = extensionsOn(listedServices(options));
  const packages = await loadPackages(options, application, decorated);
  failOn([
    ...packages.problems,
    ...findServerOptionProblems(options, packageRules([...packages.extensions, ...decorated])),
    ...auditOpening.problems,
  ]);
  const stores = storesOf(options);
  failOn(findHiddenInServer(options));
  const { manifests, targets } = await findClasses(options);
  const boot = new BootContext();
  const ports = portsOf(options, stores, boot);
  await openStores(ports, boot.clock(ports.clock));
  warnAboutOptions(options, ports);
  const opened = await auditOpening.open(ports);
  const audit = opened && new WatchedAuditSink(opened, ports);
  const posture = new SecurityPosture(options);
  const middleware = [...(options.middleware ?? [])];
  const securityListeners = new Set<SecurityListener>();
  const onSecurity = (event: SecurityEvent) => securityListeners.forEach((listener) => listener(event));
  const { output } = posture;
  const environment = createEnvironment(
    { ...options, output, audit, middleware, onSecurity },
    { ...ports, unmet },
  );
  const registry = createRegistry(pipelinePlanner(environment), visibilityOf(environment.options));
  const background = new BackgroundMethods(boot);
  const extensions = new Extensions({
    options,
    background,
    boot,
    environment,
    additions: new Additions(),
    manifests,
    stores,
    claims: ports.claims,
    secrets: ports.secrets,
    logger: ports.logger,
    clock: boot.clock(ports.clock),
  });
  const binding = createBinding({ options, stores, manifests, extensions, logger: ports.logger, unmet });
  return {
    options,
    stores,
    ports,
    audit,
    posture,
    environment,
    registry,
    binding,
    targets,
    middleware,
    securityListeners,
    extensions,
    background,
    packages: packages.extensions,
  };
}

/** The listed services. A wrong value of the option is reported later. */
function listedServices({ services }: ServerOptions): readonly AnyClass[] {
  return Array.isArray(services) ? services.filter((each) => typeof each === 'function') : [];
}

/** Reads the manifests that the options name, and finds the classes to serve. */
async function findClasses(
  options: ServerOptions,
): Promise<{ manifests: Manifests; targets: readonly AnyClass[] }> {
  const problems: ConfigurationProblem[] = [];
  const manifests = new Manifests(options.manifest);
  await manifests.addNamed();
  const targets = await findServices(options, manifests, problems);
  failOn([...manifests.takeProblems(), ...problems]);
  return { manifests, targets };
}

/** Stores set timers while requests wait for them. These timers are for all callers. */
async function openStores(
  { stores, queue, logger }: Pick<BootedServer['ports'], 'stores' | 'queue' | 'logger'>,
  clock: Clock,
): Promise<void> {
  await stores.open?.({ clock, logger });
  await queue?.open?.({ clock, logger });
}

function portsOf(options: ServerOptions, stores: ServerStores, boot: BootContext) {
  const { name: server, ports: { clock = systemClock, ids } = {}, requestState = {} } = options;
  // Limits of tools count for all processes also where the server itself has none (`rateLimit: false`).
  const { bus, claims, leases, cache, rateLimiter: limiter, endedSessions = claims } = stores;
  return {
    server,
    secrets: secretsOf(options),
    stores,
    queue: queueOf(stores),
    answerMs: requestState.lifetime,
    clock,
    ids,
    leases,
    cache,
    limiter,
    logger: loggerOf(options),
    bus: boot.bus(bus ?? new MemoryEventBus()),
    isBusShared: bus !== undefined,
    claims: new TimedClaimStore(claims ?? new MemoryClaimStore(clock), clock),
    // In memory, the number of claims is limited. Anybody can open and end sessions, so they have their own.
    endedSessions: new TimedClaimStore(endedSessions ?? new MemoryClaimStore(clock), clock),
  };
}

function loggerOf({ logger: own, ports }: ServerOptions): Logger {
  const logger = own ? readLogger(own) : (ambientLogger() ?? stderrLogger());
  const instance = ports?.instanceId;
  return instance === undefined ? logger : loggerWithFields(logger, { instance });
}

/** The container, and what finds out what the constructors of its classes need. */
function createBinding({
  options,
  stores,
  manifests,
  extensions,
  logger,
  unmet,
}: Pick<BootedServer, 'options' | 'stores' | 'extensions'> & {
  manifests: Manifests;
  logger: Logger;
  unmet: ReportUnmet | undefined;
}): BindingContext {
  const finder = new ClassFinder(manifests, () => container.classes());
  const constructorTypes = new ConstructorTypeLoader(finder, () => container);
  const container: Container = new Container(constructorTypes.types, options.resolver);
  container.bind(contextBinding);
  for (const provider of options.providers ?? []) container.provide(provider);
  return {
    manifests,
    finder,
    constructorTypes,
    container,
    kernel: new Kernel((err) => logger.error({ err }, 'What a session kept could not be disposed')),
    questions: new QuestionRegistry(),
    extras: extensions,
    hasSessions: servesStateful(options),
    hasTaskQueue: queueOf(stores) !== undefined,
    hasTicks: queueOf(stores)?.enqueueTick !== undefined,
    anyProcess: stores.anyProcess === true,
    unmet,
  };
}

/** Lets services in request scope get the context of their call injected. */
const contextBinding: Binding = {
  token: ToolContext,
  scope: 'request',
  dependencies: [],
  owned: false,
  create: (_, call) => call?.context,
};

/** Models also read the description of the server itself. */
function findHiddenInServer({ name, version, about, instructions }: ServerOptions): ConfigurationProblem[] {
  return findHiddenText({ name, version, about, instructions }).map(({ place, character }) => ({
    code: 'TW_TEXT_HIDDEN',
    message: `The option "${place}" of the server has the hidden character ${character}.`,
    fix: 'Remove it, because models read it and reviewers cannot see it.',
  }));
}

function failOn(problems: readonly ConfigurationProblem[]): void {
  if (problems.length > 0) throw new ConfigurationError(problems);
}

/** Logs consequences of the options that are easily overlooked. */
function warnAboutOptions(
  options: ServerOptions,
  { logger, queue, secrets }: Pick<BootedServer['ports'], 'logger' | 'queue' | 'secrets'>,
): void {
  const { tasks, authorize, sessions } = options;
  // A worker asks `authorize` again, and a task keeps only the claims of its caller that the option names.
  if (queue && authorize && tasks?.claims === undefined)
    logger.warn(
      { option: 'tasks.claims' },
      'Workers ask authorize() again, and a queued task keeps no claims of its caller. If authorize() reads claims, ' +
        'name them in tasks.claims, or it refuses tasks that it has let begin. If it reads none, set tasks.claims to [].',
    );
  if (servesStateful(options) && sessions !== false && !secrets)
    logger.info(
      { option: 'secrets' },
      'Sessions of clients with a handshake end with this process. With secrets they survive a restart.',
    );
}
