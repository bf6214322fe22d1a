import {
  createMcpServer,
  Inject,
  Injectable,
  type McpServer,
  McpService,
  McpTool,
  type ServerOptions,
  Token,
} from '@toolwright/core';
import { silentLogger } from '@toolwright/core/ports';
import { handMadeManifest } from './packages/hand-made-manifest.js';
import { boot } from './support/booting.js';

const LOG = new Token<string[]>('log');

@Injectable()
class Store {
  constructor(@Inject(LOG) private readonly log: string[]) {}
  async onInit() {
    this.log.push('store opened');
  }
  async onDispose() {
    this.log.push('store closed');
  }
}

@McpService()
class Shelf {
  constructor(readonly store: Store) {}
  @McpTool()
  look(): string {
    return 'books';
  }
}

@Injectable({ scope: 'request' })
class Visit {}

const manifest = handMadeManifest({ file: 'src/shelf.ts', name: 'Shelf', methods: { look: [] } });

describe('an instance that an application gets from its server', () => {
  let log: string[];
  let server: McpServer;

  async function start(options: Partial<ServerOptions> = {}): Promise<McpServer> {
    log = [];
    server = await boot({
      services: [Shelf],
      manifest,
      providers: [{ provide: LOG, useValue: log }],
      ...options,
    });
    return server;
  }

  afterEach(() => server.close(0));

  test('is the one that its services use', async () => {
    await start();
    const shelf = await server.get(Shelf);
    expect(await server.get(Store)).toBe(shelf.store);
    expect(await server.get(LOG)).toBe(log);
    expect(log).toEqual(['store opened']);
  });

  test('is built once if nothing has needed it yet, and disposed with the server', async () => {
    await start({ services: [] });
    expect(log).toEqual([]);
    const [one, other] = await Promise.all([server.get(Store), server.get(Store)]);
    expect(one).toBe(other);
    expect(one).toBeInstanceOf(Store);
    await server.close(0);
    expect(log).toEqual(['store opened', 'store closed']);
  });

  test('stays if the services that used it are removed', async () => {
    await start();
    const store = await server.get(Store);
    await server.services.remove(Shelf);
    expect(log).toEqual(['store opened']);
    expect(await server.get(Store)).toBe(store);
  });

  test.each([
    ['is provided by nothing', 'elsewhere', 'TW_DEPENDENCY_MISSING', 'Nothing provides "elsewhere"'],
    ['lives for one call', Visit, 'TW_DEPENDENCY_CAPTIVE', 'Visit lives for one call'],
  ])('is refused if it %s', async (_case, token, code, message) => {
    await start();
    await expect(server.get(token)).rejects.toMatchObject({
      problems: [{ code, message: expect.stringContaining(message), fix: expect.any(String) }],
    });
  });

  test('can be requested again if it could not be built', async () => {
    let attempts = 0;
    const useFactory = () => {
      if (++attempts === 1) throw new Error('not yet');
      return 'ready';
    };
    await start({ services: [], providers: [{ provide: 'slow', useFactory }] });
    await expect(server.get('slow')).rejects.toThrow('"slow" could not be built: not yet');
    expect(await server.get('slow')).toBe('ready');
  });

  test('is not built after the server was closed', async () => {
    await start({ services: [] });
    await server.close(0);
    await expect(server.get(Store)).rejects.toThrow('The server is closed.');
    expect(log).toEqual([]);
  });

  test('may belong to another container', async () => {
    const shelf = new Shelf(new Store([]));
    server = await createMcpServer({
      name: 'shelf',
      version: '1.0.0',
      logger: silentLogger,
      services: [Shelf],
      manifest,
      resolver: { resolve: (token) => (token === Shelf ? shelf : undefined) },
    });
    expect(await server.get(Shelf)).toBe(shelf);
  });
});
