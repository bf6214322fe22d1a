import {
  ConfigurationError,
  type ConfigurationProblem,
  type ReportUnmet,
} from '@toolwright/ground/base/errors/configuration-error';
import type { AnyClass } from '@toolwright/ground/base/metadata/store';
import type { AttachedMiddleware } from '@toolwright/ground/call/call-options';
import { ToolContext } from '@toolwright/ground/call/context/tool-context';
import { createEnvironment } from '@toolwright/ground/call/environment';
import type { Middleware } from '@toolwright/ground/call/operation/operation';
import type { SecurityEvent, SecurityListener } from '@toolwright/ground/call/security/security-monitor';
import { WatchedAuditSink } from '@toolwright/ground/call/security/watched-audit-sink';
import { BootContext } from '@toolwright/ground/ports/boot-context';
import { MemoryClaimStore, TimedClaimStore } from '@toolwright/ground/ports/claim-store';
import { randomIds, systemClock } from '@toolwright/ground/ports/clock-and-ids';
import { MemoryEventBus } from '@toolwright/ground/ports/event-bus';
import {
  type Logger,
  ambientLogger,
  loggerWithFields,
  readLogger,
  stderrLogger,
} from '@toolwright/ground/ports/logger';
import { isObject, Listeners } from '@toolwright/json';
import type { Binding } from '../container/binding.js';
import { Container } from '../container/container.js';
import { Kernel } from '../container/kernel.js';
import { MessageListeners } from '../observe/message-watch.js';
import { createProtocol } from '../protocol/create-protocol.js';
import { resolveOptions, servesStateful } from '../protocol/protocol-options.js';
import type { ServedProtocol } from '../protocol/served-protocol.js';
import { Additions } from '../requests/additions.js';
import { BackgroundMethods } from '../tasks/background-methods.js';
import { SecurityPosture } from './checks/security-posture.js';
import { ClassFinder } from './classes/class-finder.js';
import type { Extension } from './extensions/extension.js';
import { Extensions, extensionsOn } from './extensions/extensions.js';
import { type AuditOpening, loadPackages, packageRules, prepareAudit } from './extensions/load-packages.js';
import { Manifests } from './manifest/load-manifests.js';
import { findFileOptions, findServerOptionProblems, classOf } from './options/find-option-problems.js';
import type { ServerOptions } from './options/server-options.js';
import { queueOf, secretsOf, storesOf } from './options/shared-stores.js';
import { planOperation } from './registry/kinds.js';
import { type ServerRegistry, createRegistry } from './registry/server-registry.js';
import type { BindingServer } from './services/bound-service.js';
import { ConstructorTypeLoader } from './services/constructor-types.js';
import { findServices } from './services/find-services.js';
import { QuestionRegistry } from './services/type-table.js';

/** One server: everything that is made once for it. Each room sees the part of it that it needs. */
export interface BootedServer extends BindingServer {
  readonly registry: ServerRegistry;
  readonly posture: SecurityPosture;
  readonly protocol: ServedProtocol;
  /** The classes to serve. */
  readonly targets: readonly AnyClass[];
  /** The middleware that plans are made from. Added middleware takes effect at the next planning. */
  readonly middleware: (Middleware | AttachedMiddleware)[];
  readonly securityListeners: Set<SecurityListener>;
  /** The extensions that the options ask for. */
  readonly packages: readonly Extension<never>[];
}

/**
 * Makes one server, step by step. Each step fills its part into the same object. The services are bound afterwards, by
 * `ServiceCollection`.
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
  const given = { options, application, unmet, boot: new BootContext() };
  fill(given, await packagesOf(given));
  fill(given, await classesOf(given));
  fill(given, surroundingsOf(given));
  await openStores(given);
  fill(given, await auditOf(given));
  fill(given, pipelineOf(given));
  fill(given, containerOf(given));
  // V8 makes a hash table of an object to which many keys are assigned. A copy has them in place again, and each call
  // reads some 30 of them. What comes later is named here, and stays in place.
  const server = { ...given } as typeof given & Growing<Pick<BootedServer, Later>>;
  server.registry = createRegistry(server, planOperation);
  server.messageListeners = new MessageListeners(server.registry, server);
  server.sessionEnds = new Listeners(server.logger, 'A listener to the end of a session failed');
  server.additions = new Additions();
  server.background = new BackgroundMethods(server.boot);
  server.extensions = new Extensions(server);
  server.protocol = createProtocol(server);
  return server;
}

type Later =
  'registry' | 'messageListeners' | 'sessionEnds' | 'additions' | 'background' | 'extensions' | 'protocol';
type Growing<Part> = { -readonly [Member in keyof Part]: Part[Member] };

/** The parts of the server that earlier steps of the boot have set. */
type Filled<Name extends keyof BootedServer> = Pick<BootedServer, Name> & { readonly options: ServerOptions };

function fill<Server extends object, Part extends object>(
  server: Server,
  part: Part,
): asserts server is Server & Part {
  Object.assign(server, part);
}

/** Checks the options, and loads the packages that they name. */
async function packagesOf({
  options,
  application,
}: {
  options: ServerOptions;
  application: string | undefined;
}) {
  failOn(findFileOptions(options));
  const auditing = await prepareAudit(options.audit, application);
  // A wrong value of the option is reported below.
  const [classes, objects] = [options.services, options.instances].map((each) =>
    Array.isArray(each) ? each : [],
  );
  const listed = [...classes!, ...objects!.filter(isObject).map(classOf)];
  const decorated = extensionsOn(listed.filter((each): each is AnyClass => typeof each === 'function'));
  const packages = await loadPackages(options, application, decorated);
  failOn([
    ...packages.problems,
    ...findServerOptionProblems(options, packageRules([...packages.extensions, ...decorated])),
    ...auditing.problems,
  ]);
  return { packages: packages.extensions, openAuditSink: auditing.open };
}

/** Reads the manifests that the options name, and finds the classes to serve. */
async function classesOf({ options }: { options: ServerOptions }) {
  const problems: ConfigurationProblem[] = [];
  const manifests = new Manifests(options.manifest);
  await manifests.addNamed();
  const targets = await findServices(options, manifests, problems);
  failOn([...manifests.takeProblems(), ...problems]);
  return { manifests, targets };
}

/** What the server introduces itself with, and what it takes from outside. */
function surroundingsOf({ options, boot }: Filled<'boot'>) {
  const { name, version, about, instructions, ports = {} } = options;
  const { clock = systemClock, ids = randomIds } = ports;
  const stores = storesOf(options.stores);
  // Limits of tools count for all processes also where the server itself has none (`rateLimit: false`).
  const { bus, claims, endedSessions = claims } = stores;
  const settings = resolveOptions(options);
  return {
    info: { name, version, ...about },
    instructions,
    server: name,
    secrets: options.secrets ?? secretsOf(options.stores),
    stores,
    queue: queueOf(stores),
    settings,
    answerMs: settings.stateTtlMs,
    clock,
    ids,
    logger: loggerOf(options.logger, ports.instanceId),
    bus: boot.bus(bus ?? new MemoryEventBus()),
    isBusShared: bus !== undefined,
    claims: new TimedClaimStore(claims ?? new MemoryClaimStore(clock), clock),
    // In memory, the number of claims is limited. Anybody can open and end sessions, so they have their own.
    endedSessions: new TimedClaimStore(endedSessions ?? new MemoryClaimStore(clock), clock),
  };
}

function loggerOf(own: Logger | undefined, instance: string | undefined): Logger {
  const logger = own ? readLogger(own) : (ambientLogger() ?? stderrLogger());
  return instance === undefined ? logger : loggerWithFields(logger, { instance });
}

/** Opens the stores, and logs what options mean for them that is easily overlooked. */
async function openStores(server: Filled<'stores' | 'queue' | 'clock' | 'logger' | 'boot' | 'secrets'>) {
  const { stores, queue, logger, boot } = server;
  // Stores set timers while requests wait for them. These timers are for all callers.
  const clock = boot.clock(server.clock);
  await stores.open?.({ clock, logger });
  await queue?.open?.({ clock, logger });
  const { tasks, authorize, sessions } = server.options;
  // A worker asks `authorize` again, and a task keeps only the claims of its caller that the option names.
  if (queue && authorize && tasks?.claims === undefined)
    logger.warn(
      { option: 'tasks.claims' },
      'Workers ask authorize() again, and a queued task keeps no claims of its caller. If authorize() reads claims, ' +
        'name them in tasks.claims, or it refuses tasks that it has let begin. If it reads none, set tasks.claims to [].',
    );
  if (servesStateful(server.options) && sessions !== false && !server.secrets)
    logger.info(
      { option: 'secrets' },
      'Sessions of clients with a handshake end with this process. With secrets they survive a restart.',
    );
}

async function auditOf({
  openAuditSink,
  clock,
  logger,
}: Pick<BootedServer, 'clock' | 'logger'> & { openAuditSink: AuditOpening['open'] }) {
  const sink = await openAuditSink({ clock, logger });
  return { audit: sink ? new WatchedAuditSink(sink, { clock, logger }) : undefined };
}

/** What plans and runs the chains of calls. */
function pipelineOf(server: Filled<'audit' | 'stores' | 'clock' | 'logger'>) {
  const { options, audit, logger } = server;
  const posture = new SecurityPosture(options);
  const middleware = [...(options.middleware ?? [])];
  const securityListeners = new Listeners<SecurityEvent>(logger, 'A listener for security events failed');
  const onSecurity = (event: SecurityEvent) => securityListeners.tell(event);
  const effective = {
    ...options,
    output: posture.output,
    audit: audit ?? false,
    middleware,
    onSecurity,
  } as const;
  return {
    ...createEnvironment(effective, server),
    options: effective,
    audit,
    posture,
    requiresPrincipal: posture.demands('principals'),
    refusesLanding: posture.demands('landing'),
    middleware,
    securityListeners,
  };
}

/** The container, and what finds out what the constructors of its classes need. */
function containerOf({ options, manifests, logger }: Filled<'manifests' | 'logger'>) {
  const finder = new ClassFinder(manifests, () => container.classes());
  const constructorTypes = new ConstructorTypeLoader(finder, () => container);
  const container: Container = new Container(constructorTypes.types, options.resolver);
  container.bind(contextBinding);
  for (const provider of options.providers ?? []) container.provide(provider);
  for (const instance of options.instances ?? [])
    container.provide({ provide: classOf(instance), useValue: instance });
  const kernel = new Kernel((err) => logger.error({ err }, 'What a session kept could not be disposed'));
  return { finder, constructorTypes, container, kernel, questions: new QuestionRegistry() };
}

/** Lets services in request scope get the context of their call injected. */
const contextBinding: Binding = {
  token: ToolContext,
  scope: 'request',
  dependencies: [],
  owned: false,
  create: (_, call) => call?.context,
};

function failOn(problems: readonly ConfigurationProblem[]): void {
  if (problems.length > 0) throw new ConfigurationError(problems);
}
