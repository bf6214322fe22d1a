import { type Address, type RefereeClient, referees } from '../../pages/test/referees.js';
import { builtFile, StartedApp } from '../../pages/test/started-app.js';

function describeBookshop(address: () => Address): void {
  describe.each(referees)('seen by $name', ({ connect }) => {
    let client: RefereeClient;

    beforeAll(async () => {
      client = await connect(address());
    });

    afterAll(() => client.close());

    it('offers its tools', async () => {
      const { tools } = await client.listTools();

      expect(tools.map(({ name }) => name).sort()).toEqual(['find_books', 'order_book']);
      expect(tools.find(({ name }) => name === 'order_book')?.inputSchema).toMatchObject({
        required: ['isbn'],
        properties: {
          isbn: { type: 'string', pattern: '^\\d{13}$' },
          copies: { type: 'integer', minimum: 1, maximum: 10, default: 1 },
        },
      });
    });

    it('finds a book and orders it', async () => {
      const found = await client.callTool('find_books', { text: 'moby' });
      const [book] = (found.structuredContent as { books: { isbn: string; price: number }[] }).books;

      const ordered = await client.callTool('order_book', { isbn: book?.isbn });

      expect(ordered.structuredContent).toEqual({ price: book?.price });
    });

    it('says why an order cannot be filled', async () => {
      expect(await client.callTool('order_book', { isbn: '9780141439471' })).toMatchObject({
        isError: true,
        content: [{ text: 'There are only 0 copies of Frankenstein.' }],
      });
    });

    it('names the argument that is wrong', async () => {
      expect(await client.callTool('order_book', { isbn: 'moby', copies: 1 })).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('isbn') }],
      });
    });
  });
}

describe('the bookshop over HTTP', () => {
  let app: StartedApp;

  beforeAll(async () => {
    app = await StartedApp.start(builtFile('existing-express', 'main.js'));
  });

  afterAll(async () => {
    expect(await app.stop()).toBe(0);
  });

  describeBookshop(() => ({ url: new URL('/mcp', app.url) }));
});

describe('the bookshop over stdio', () => {
  describeBookshop(() => ({
    command: process.execPath,
    args: [builtFile('existing-express', 'stdio.js')],
    env: { PATH: process.env.PATH ?? '' },
  }));
});
