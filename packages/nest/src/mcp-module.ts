import { ConfigurableModuleBuilder, Inject, Module, type NestModule } from '@nestjs/common';
import { DiscoveryModule, ModuleRef } from '@nestjs/core';
import { EndpointHost, endpointController } from './http/nest-endpoint.js';
import { McpServerHost, ServedApp } from './served-app.js';
import { HAS_ROUTE, OPTIONS, type McpModuleOptions, type McpRouteOptions } from './options.js';
import { ServerBooter } from './server-booter.js';

const { ConfigurableModuleClass } = new ConfigurableModuleBuilder<McpModuleOptions>({
  optionsInjectionToken: OPTIONS,
})
  .setClassMethodName('forRoot')
  .setExtras<McpRouteOptions>({ path: '/mcp', guards: [] }, (definition, { path = '/mcp', guards = [] }) => ({
    ...definition,
    global: true,
    controllers: path === false ? [] : [endpointController(path, guards)],
    providers: [...(definition.providers ?? []), { provide: HAS_ROUTE, useValue: path !== false }],
  }))
  .build();

/**
 * Serves the decorated providers and controllers of a Nest app as an MCP server. Nest builds and owns them. The
 * server starts after every `onModuleInit` of the app. When the app closes, running calls finish before any
 * `onModuleDestroy` of the app runs.
 *
 * @throws {ConfigurationError} with all problems; `app.init()` and `app.listen()` pass it on
 * @example
 * @Module({ imports: [McpModule.forRoot({ name: 'shop', version: '1.0.0' })], providers: [OrderTools] })
 * export class AppModule {}
 */
@Module({
  imports: [DiscoveryModule],
  providers: [McpServerHost, EndpointHost, ServerBooter, ServedApp],
  exports: [McpServerHost],
})
export class McpModule extends ConfigurableModuleClass implements NestModule {
  /** @internal */
  constructor(@Inject(ModuleRef) private readonly moduleRef: ModuleRef) {
    super();
  }

  /** @internal */
  configure(): void {
    this.moduleRef.get(ServedApp).serveMetadata();
  }
}
