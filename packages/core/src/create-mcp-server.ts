import {
  ConfigurationError,
  problemsAt,
  type ReportUnmet,
} from '@toolwright/ground/base/errors/configuration-error';
import { CallSite } from '@toolwright/ground/base/metadata/call-site';
import { wrongOption } from '@toolwright/ground/base/options/option-schema';
import { type ToolDraft, locationOf } from '@toolwright/ground/call/operation/draft';
import type { Logger } from '@toolwright/ground/ports/logger';
import { didYouMean, ONLY_INSPECTED, SERVER_OBSERVER } from '@toolwright/json';
import { type BootedServer, bootServer } from './boot/boot-server.js';
import type { ServerOptions } from './boot/options/server-options.js';
import { McpServer } from './server.js';

/**
 * Makes a server from decorated classes. It finds their manifests, binds every decorated method, builds the
 * services and plans the chain of every tool.
 *
 * @throws {ConfigurationError} with all problems, each with its place and its fix
 * @example
 * const server = await createMcpServer({ name: 'pages', version: '1.0.0', services: [PageTools] });
 */
export async function createMcpServer(options: ServerOptions): Promise<McpServer> {
  return startAt(new CallSite(createMcpServer), options);
}

/**
 * The same for commands that look at the classes of an application without its server. A server with default options is made
 * in its place, and serves nobody.
 *
 * @param unmet hears what only the server of the application can have. The stand-in leaves such a part out
 * @throws {ConfigurationError} for what is wrong in the classes themselves
 */
export async function createStandIn(options: ServerOptions, unmet: ReportUnmet): Promise<McpServer> {
  return startAt(new CallSite(createStandIn), options, unmet);
}

async function startAt(site: CallSite, options: ServerOptions, unmet?: ReportUnmet): Promise<McpServer> {
  refuseOldNode();
  try {
    if (typeof options !== 'object' || options === null)
      throw wrongOption('createMcpServer needs options.', 'Write at least `{ name, version, services }`.');
    return await serve(await bootServer(options, site.file, unmet));
  } catch (error) {
    throw error instanceof ConfigurationError ? placedAt(error, site) : error;
  }
}

/** Options and classes without a decorator have no place of their own. They are written where the server is made. */
function placedAt(error: ConfigurationError, { location }: CallSite): ConfigurationError {
  const lacksPlace = error.problems.some((problem) => problem.location === undefined);
  if (location === undefined || !lacksPlace) return error;
  return new ConfigurationError(
    problemsAt(error, location),
    'cause' in error ? { cause: error.cause } : undefined,
  );
}

/** Binds the services, and lets begin what acts by itself. */
async function serve(booted: BootedServer): Promise<McpServer> {
  const server = new McpServer(booted);
  // Services may ask for the server that serves them, so that they can change it while it runs.
  booted.container.provide({ provide: McpServer, useValue: server });
  try {
    for (const extension of booted.packages) await booted.extensions.start(extension);
    await server.services.add(...booted.targets);
    await booted.extensions.ready();
  } catch (error) {
    await server.close(0).catch(() => undefined);
    throw error;
  }
  const { concurrency } = booted.settings.tasks;
  // Only now are all tools there.
  if (concurrency > 0 && !(ONLY_INSPECTED in globalThis)) await server.protocol.workOnTasks(concurrency);
  warnAboutTools(booted.registry.tools.drafts(), booted.logger);
  warnAboutReplacements(booted.registry.tools.drafts(), booted.logger);
  announceServer(server);
  return server;
}

/** Without it, a server would start on Node.js 18, and break at its end. Other runtimes name the version that they are like. */
function refuseOldNode(): void {
  const { node = '99.0' } = globalThis.process?.versions ?? {};
  const [major = 0, minor = 0] = node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new Error(`@toolwright/core needs Node.js 20.19 or later. This is Node.js ${node}.`);
}

type Holder<Server> = { [SERVER_OBSERVER]?: (server: Server) => void };

/** Calls the function that such a module left, if any. */
function announceServer<Server extends object>(server: Server): void {
  (globalThis as Holder<Server>)[SERVER_OBSERVER]?.(server);
}

/** Warns about tools that models will use badly, because a model only knows what a tool says about itself. */
function warnAboutTools(tools: readonly ToolDraft[], logger: Logger): void {
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

/** A model that is sent to a tool that nobody has calls it in vain. The tool may be added later, so the server starts. */
function warnAboutReplacements(tools: readonly ToolDraft[], logger: Logger): void {
  for (const tool of tools) {
    const { replacedBy } = tool.deprecation ?? {};
    if (replacedBy === undefined) continue;
    const known = [...new Set(tools.flatMap(({ name, versionOf = name }) => [name, versionOf]))];
    if (known.includes(replacedBy)) continue;
    logger.warn(
      { tool: tool.name, replacedBy, ...locationOf(tool) },
      `The tool "${tool.name}" is replaced by "${replacedBy}", and there is no such tool so far.${didYouMean(replacedBy, known)}`,
    );
  }
}

/** Object.keys would create an array for each of a thousand tools. */
function isEmpty(object: object): boolean {
  for (const _key in object) return false;
  return true;
}
