import {
  Inject,
  Injectable,
  type OnApplicationShutdown,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import type { McpServer } from '@toolwright/core';
import { EndpointHost, NestEndpoint } from './http/nest-endpoint.js';
import {
  HAS_ROUTE,
  type McpModuleOptions,
  type McpModuleSettings,
  OPTIONS,
  resolveModuleOptions,
} from './options.js';
import { ServerBooter } from './server-booter.js';

/**
 * Gives access to the server. Nest makes it before the server, so the server is there from the hook
 * `onApplicationBootstrap` on.
 *
 * @example
 * constructor(private readonly mcp: McpServerHost) {}
 * onApplicationBootstrap() { this.mcp.server.tools.add({ name: 'ping', handler: () => 'pong' }); }
 */
export class McpServerHost {
  #server: McpServer | undefined;

  /** @throws {Error} before the app has started */
  get server(): McpServer {
    if (!this.#server)
      throw new Error('The MCP server is there when the app has started: use onApplicationBootstrap.');
    return this.#server;
  }

  /** @internal */
  open(server: McpServer): void {
    this.#server = server;
  }
}

/** Starts and stops the server with its app. */
@Injectable()
export class ServedApp implements OnModuleInit, OnModuleDestroy, OnApplicationShutdown {
  private readonly settings: McpModuleSettings;
  private server: McpServer | undefined;

  constructor(
    @Inject(OPTIONS) options: McpModuleOptions,
    @Inject(HAS_ROUTE) private readonly hasRoute: boolean,
    @Inject(McpServerHost) private readonly servers: McpServerHost,
    @Inject(EndpointHost) private readonly endpoints: EndpointHost,
    @Inject(ServerBooter) private readonly booter: ServerBooter,
    @Inject(HttpAdapterHost) private readonly adapters: HttpAdapterHost,
    @Inject(ModulesContainer) modules: ModulesContainer,
  ) {
    this.settings = resolveModuleOptions(options);
    // Nest runs hooks by this distance: the nearest module is the last to start and the first to stop.
    for (const module of modules.values()) if (module.providers.has(ServedApp)) module.distance = 0;
  }

  /** Serves the page of the OAuth resource. It is at the root of the app, outside of the global prefix. */
  serveMetadata(): void {
    const { oauth } = this.settings.http;
    if (oauth) this.adapters.httpAdapter.use(oauth.metadata);
  }

  async onModuleInit(): Promise<void> {
    const server = (this.server = await this.booter.boot(this.settings));
    this.servers.open(server);
    // An application context has no adapter.
    if (this.hasRoute && this.adapters.httpAdapter)
      this.endpoints.endpoint = new NestEndpoint(server, this.settings.http);
  }

  async onModuleDestroy(): Promise<void> {
    await this.server?.drain(this.settings.grace);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.server?.close(this.settings.grace);
  }
}
