import {
  type Address,
  type ListedTool,
  type Referee,
  type RefereeClient,
  referees,
} from '../../pages/test/referees.js';
import { builtFile, StartedApp } from '../../pages/test/started-app.js';
import { textOf } from './answers.js';

/** What an anonymous caller is offered by the gallery as it comes, without settings. */
function describeGallery(clients: Referee[], address: () => Address): void {
  describe.each(clients)('seen by $name', ({ connect }) => {
    let client: RefereeClient;
    let tools: ListedTool[];

    beforeAll(async () => {
      client = await connect(address());
      ({ tools } = await client.listTools());
    });

    afterAll(() => client.close());

    it('offers the tools of every topic', () => {
      expect(tools.map(({ name }) => name)).toEqual(
        expect.arrayContaining([
          'calculate_sum',
          'get_weather',
          'chart_weather',
          'analyze_csv',
          'execute_command',
          'import_csv',
          'query_weather',
          'list_reports',
          'transfer_money',
          'checksum_files',
          'show_learning_material',
          'roll_dice',
        ]),
      );
    });

    it('keeps what is for some callers from all others', () => {
      const names = tools.map(({ name }) => name);

      for (const hidden of ['delete_report', 'switch_feature', 'reload_plugins', 'github_create_issue'])
        expect(names).not.toContain(hidden);
    });

    it('says of each tool what it returns, what it does to the world, and what each argument is', () => {
      for (const { name, description, annotations, inputSchema } of tools) {
        const undescribed = Object.entries(inputSchema.properties ?? {})
          .filter(([, { description: text }]) => !text)
          .map(([argument]) => argument);

        expect({ name, undescribed }).toEqual({ name, undescribed: [] });
        expect({ name, description }).toEqual({ name, description: expect.stringMatching(/[.!]/) });
        expect(Object.keys(annotations ?? {}).length).toBeGreaterThan(0);
      }
    });

    it('has a plug-in', async () => {
      const { structuredContent } = await client.callTool('roll_dice', {});

      expect(structuredContent).toMatchObject({ rolls: [expect.any(Number), expect.any(Number)] });
    });

    it('makes a table of a file, and a tool of the table', async () => {
      const table = `stocks_${Math.random().toString(36).slice(2, 8)}`;
      const imported = await client.callTool('import_csv', { filepath: 'stocks.csv', table });
      expect(textOf(imported)).toContain('"rows":560');

      await client.listTools();
      const { structuredContent } = await client.callTool(`query_${table}`, { limit: 1, orderBy: 'price' });

      expect(structuredContent).toMatchObject({ rows: [{ symbol: expect.any(String) }], more: true });
    });
  });
}

describe('the gallery over HTTP', () => {
  let app: StartedApp;

  beforeAll(async () => {
    app = await StartedApp.start(builtFile('gallery', 'main.js'));
  });

  afterAll(async () => {
    expect(await app.stop()).toBe(0);
  });

  describeGallery(referees, () => ({ url: app.url }));
});

describe('the gallery over stdio', () => {
  // Each client starts a process, and each process a database; the newest and the oldest client are enough.
  describeGallery([referees[0]!, referees.at(-1)!], () => ({
    command: process.execPath,
    args: [builtFile('gallery', 'stdio.js')],
    env: { PATH: process.env.PATH ?? '' },
  }));
});
