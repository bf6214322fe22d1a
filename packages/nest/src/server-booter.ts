import { Inject, Injectable } from '@nestjs/common';
import { ApplicationConfig, DiscoveryService, ExternalContextCreator, ModuleRef } from '@nestjs/core';
import { createMcpServer, type McpServer } from '@toolwright/core';
import { CallContexts } from './container/call-contexts.js';
import { NestResolver } from './container/nest-resolver.js';
import { ProvidedClasses } from './container/provided-classes.js';
import { EnhancerPlanner } from './enhancers/enhancer-planner.js';
import { nestLogger } from './nest-logger.js';
import type { McpModuleSettings } from './options.js';

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
