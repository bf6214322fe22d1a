import {
  ConfigurableModuleBuilder,
  Inject,
  Module,
  type NestModule,
  type OnApplicationShutdown,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { DiscoveryModule, HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import { endpointController } from './http/endpoint-controller.js';
import { NestEndpoint } from './http/nest-endpoint.js';
import { McpServerHost } from './mcp-server-host.js';
import {
  resolveModuleOptions,
  type McpModuleOptions,
  type McpModuleSettings,
  type McpRouteOptions,
} from './options.js';
import { ServerBooter } from './server-booter.js';

const OPTIONS = Symbol('McpModuleOptions');
const HAS_ROUTE = Symbol('McpModuleHasRoute');

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
  providers: [McpServerHost, ServerBooter],
  exports: [McpServerHost],
})
export class McpModule
  extends ConfigurableModuleClass
  implements NestModule, OnModuleInit, OnModuleDestroy, OnApplicationShutdown
{
  private readonly settings: McpModuleSettings;

  /** @internal */
  constructor(
    @Inject(OPTIONS) options: McpModuleOptions,
    @Inject(HAS_ROUTE) private readonly hasRoute: boolean,
    @Inject(McpServerHost) private readonly host: McpServerHost,
    @Inject(ServerBooter) private readonly booter: ServerBooter,
    @Inject(HttpAdapterHost) private readonly adapters: HttpAdapterHost,
    @Inject(ModulesContainer) modules: ModulesContainer,
  ) {
    super();
    this.settings = resolveModuleOptions(options);
    // Nest runs hooks by this distance: the nearest module is the last to start and the first to stop.
    for (const module of modules.values()) if (module.metatype === McpModule) module.distance = 0;
  }

  /** @internal */
  configure(): void {
    const { oauth } = this.settings.http;
    // The page of the resource is at the root of the app, outside of its global prefix.
    if (oauth) this.adapters.httpAdapter.use(oauth.metadata);
  }

  /** @internal */
  async onModuleInit(): Promise<void> {
    const server = await this.booter.boot(this.settings);
    const isServed = this.hasRoute && this.adapters.httpAdapter !== undefined;
    this.host.open(server, isServed ? new NestEndpoint(server, this.settings.http) : undefined);
  }

  /** @internal */
  async onModuleDestroy(): Promise<void> {
    if (this.host.hasServer) await this.host.server.drain(this.settings.graceMs);
  }

  /** @internal */
  async onApplicationShutdown(): Promise<void> {
    if (this.host.hasServer) await this.host.server.close(this.settings.graceMs);
  }
}
