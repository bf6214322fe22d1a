import { inspect } from 'node:util';
import { Inject, Injectable, Logger as NestLogger } from '@nestjs/common';
import { ApplicationConfig, DiscoveryService, ExternalContextCreator, ModuleRef } from '@nestjs/core';
import {
  type ExternalResolver,
  type InjectionToken,
  type McpServer,
  type Scope,
  createMcpServer,
} from '@toolwright/core';
import type { AroundMethod, CallSource, DecoratedMember } from '@toolwright/core/extend';
import { type Logger, textOfFields } from '@toolwright/core/ports';
import type { MaybePromise } from '@toolwright/core/transport';
import { CallContexts, ProvidedClasses } from './container/provided-classes.js';
import { EnhancerPlanner } from './enhancers/enhancer-planner.js';
import type { McpModuleSettings } from './options.js';

/** Lets the container of Nest own every instance. */
class NestResolver implements ExternalResolver {
  constructor(
    private readonly provided: ProvidedClasses,
    private readonly moduleRef: ModuleRef,
    private readonly contexts: CallContexts,
    private readonly enhancers: EnhancerPlanner,
  ) {}

  has(token: InjectionToken): boolean {
    return this.provided.find(token) !== undefined;
  }

  scope(token: InjectionToken): Scope {
    return this.provided.find(token)!.isDependencyTreeStatic() ? 'singleton' : 'request';
  }

  resolve(token: InjectionToken, call?: CallSource): MaybePromise<unknown> {
    const provided = this.provided.find(token)!;
    if (!call && !provided.isTransient) return provided.instance;
    const context = call && this.contexts.of(call);
    return this.moduleRef.resolve(provided.token as never, context, { strict: false });
  }

  around(member: DecoratedMember): AroundMethod {
    return this.enhancers.plan(member);
  }
}

/** Makes the server of an app whose providers exist. */
@Injectable()
export class ServerBooter {
  constructor(
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(ModuleRef) private readonly moduleRef: ModuleRef,
    @Inject(ApplicationConfig) private readonly config: ApplicationConfig,
    @Inject(ExternalContextCreator) private readonly creator: ExternalContextCreator,
  ) {}

  /** @throws {ConfigurationError} with all problems of the options and the served classes */
  boot(settings: McpModuleSettings): Promise<McpServer> {
    const { config, creator, discovery, moduleRef } = this;
    const { server, include, useNestEnhancers, hasDecided } = settings;
    const logger = server.logger ?? nestLogger;
    if (!hasDecided && hasGlobalGuards(config)) {
      logger.warn(
        { option: 'useNestEnhancers' },
        'The global guards of this app check the HTTP request, but not each tool. Set useNestEnhancers to true if they read decorators of tools, or else to false.',
      );
    }
    const provided = new ProvidedClasses(discovery, include);
    const contexts = new CallContexts(moduleRef);
    const sources = { creator, config, moduleRef, provided, contexts };
    const enhancers = new EnhancerPlanner(sources, useNestEnhancers);
    const resolver = new NestResolver(provided, moduleRef, contexts, enhancers);
    return createMcpServer({ ...server, logger, services: provided.services, resolver });
  }
}

function hasGlobalGuards(config: ApplicationConfig): boolean {
  return config.getGlobalGuards().length + config.getGlobalRequestGuards().length > 0;
}

const target = new NestLogger('McpServer');

/**
 * Writes log messages with the logger of the app. The fields stand in the text: loggers such as nestjs-pino and nest-winston drop
 * other arguments, or take them for the context, and Nest's own makes a line of JSON of each. Only a stack may be the second one.
 */
const nestLogger: Logger = {
  debug: (fields, message) => target.debug(lineOf(fields, message)),
  info: (fields, message) => target.log(lineOf(fields, message)),
  warn: (fields, message) => target.warn(lineOf(fields, message)),
  error: ({ err, ...fields }, message) => {
    if (err instanceof Error) target.error(lineOf(fields, message), inspect(err));
    else target.error(lineOf(err === undefined ? fields : { err, ...fields }, message));
  },
};

function lineOf(fields: Record<string, unknown>, message: string): string {
  return Object.keys(fields).length === 0 ? message : `${message} ${textOfFields(fields)}`;
}
