import { createMcpServer, type McpServer, type ServerOptions } from '@toolwright/core';
import { type HttpService, serveHttp, type ServeHttpOptions } from '@toolwright/http';
import { silentLogger } from '@toolwright/core/ports';
import { type Referee, type RefereeClient, type RefereeOptions } from '../../pages/test/referees.js';

/** One topic of the gallery, served over HTTP on a free port, and the clients that a test opened. */
export class ServedTopic {
  private readonly clients: RefereeClient[] = [];

  private constructor(
    readonly server: McpServer,
    private readonly http: HttpService,
  ) {}

  static async serve(
    options: Omit<ServerOptions, 'name' | 'version'>,
    http: Omit<ServeHttpOptions, 'port'> = {},
  ): Promise<ServedTopic> {
    const server = await createMcpServer({
      name: 'topic',
      version: '1.0.0',
      logger: silentLogger,
      ...options,
    });
    return new ServedTopic(server, await serveHttp(server, { port: 0, signals: false, ...http }));
  }

  get url(): URL {
    return new URL(this.http.url);
  }

  /** Connects a client; it is closed together with the server. */
  async connect(referee: Referee, options?: RefereeOptions): Promise<RefereeClient> {
    const client = await referee.connect({ url: this.url }, options);
    this.clients.push(client);
    return client;
  }

  async close(): Promise<void> {
    await Promise.all(this.clients.map((client) => client.close()));
    await this.http.close();
  }
}
