import { Inject, McpService, McpTool, type InjectionToken, type Provider } from '@toolwright/core';
import { handMadeManifest } from '../packages/hand-made-manifest.js';
import { answer, boot, problemsOf } from '../support/booting.js';

class Database {
  private constructor(readonly url: string) {}
  static connect(url: string): Promise<Database> {
    return Promise.resolve(new Database(url));
  }
}

@McpService()
class Tools {
  constructor(
    private readonly byType: Database,
    @Inject(Database) private readonly byToken: Database,
  ) {}
  @McpTool()
  where(query: string): string {
    return `${query} ${this.byType.url} ${this.byType === this.byToken}`;
  }
}

const manifest = handMadeManifest({ file: 'src/tools.ts', name: 'Tools', methods: { where: ['query'] } });
const url: Provider = { provide: 'url', useValue: 'postgres://' };
const database: Provider = {
  provide: Database,
  useFactory: (dsn: string) => Database.connect(dsn),
  inject: ['url'],
};

test('a class with a private constructor can be a token, for a factory, a parameter and server.get', async () => {
  const token: InjectionToken<Database> = Database;
  const providers = [url, database];
  expect(await answer({ services: [Tools], manifest, providers }, 'where')).toBe('x postgres:// true');
  const server = await boot({ services: [Tools], manifest, providers });
  const found: Database = await server.get(token);
  const same: Database = await server.get(Database);
  expect(found).toBe(same);
  await server.close(0);
});

test('a server does not start if a factory has more or fewer parameters than it gets', async () => {
  const unfit: Provider[] = [
    { provide: 'none', useFactory: (dsn: string) => dsn },
    { provide: 'more', useFactory: () => 0, inject: ['url'] },
  ];
  expect(await problemsOf({ services: [], providers: [url, ...unfit] })).toMatchObject([
    {
      code: 'TW_DEPENDENCY_FACTORY',
      message: 'The factory of "none" has 1 parameter, and inject lists nothing.',
    },
    { code: 'TW_DEPENDENCY_FACTORY', message: expect.stringContaining('"more"') },
  ]);
});
