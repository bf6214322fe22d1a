import { type Address, type RefereeClient, referees } from '../../pages/test/referees.js';
import { builtFile, StartedApp } from '../../pages/test/started-app.js';

function describeShop(address: () => Address): void {
  describe.each(referees)('seen by $name', ({ connect }) => {
    let client: RefereeClient;

    beforeAll(async () => {
      client = await connect(address(), { answer: () => 'accept' });
    });

    afterAll(() => client.close());

    const structured = async (name: string, args: Record<string, unknown>) =>
      (await client.callTool(name, args)).structuredContent as Record<string, unknown>;

    it('offers the tools of all three packages', async () => {
      const { tools } = await client.listTools();

      expect(tools.map(({ name }) => name).sort()).toEqual([
        'create_invoice',
        'find_products',
        'get_invoice',
        'get_product',
        'quote_order',
        'void_invoice',
      ]);
    });

    it('describes a type of another package by the comments and tags it has there', async () => {
      const { tools } = await client.listTools();
      const lines = tools.find(({ name }) => name === 'quote_order')?.inputSchema.properties?.lines;

      expect(lines).toMatchObject({
        minItems: 1,
        items: {
          required: expect.arrayContaining(['sku', 'quantity']),
          properties: {
            sku: { pattern: '^[A-Z]{2}-\\d{3}$' },
            quantity: { type: 'integer', minimum: 1, maximum: 100, description: 'How many of it.' },
          },
        },
      });
    });

    it('finds a product, quotes an order and writes its invoice', async () => {
      const { products } = await structured('find_products', { text: 'pot' });
      const [{ sku, price }] = products as [{ sku: string; price: number }];
      const lines = [{ sku, quantity: 2 }];

      expect(await structured('quote_order', { lines })).toEqual({
        goods: 4_800,
        shipping: 490,
        total: 5_290,
      });
      expect(await structured('quote_order', { lines, destination: 'abroad' })).toMatchObject({
        shipping: 1_490,
      });

      const invoice = await structured('create_invoice', { customer: 'Ada', lines });

      expect(invoice).toMatchObject({ customer: 'Ada', lines, total: 2 * price, status: 'open' });
      expect(await structured('get_invoice', { number: invoice.number })).toEqual(invoice);
    });

    it('ships large orders for nothing', async () => {
      expect(await structured('quote_order', { lines: [{ sku: 'KE-001', quantity: 2 }] })).toEqual({
        goods: 7_800,
        shipping: 0,
        total: 7_800,
      });
    });

    it('declares an invoice void when its user agrees', async () => {
      const { number } = await structured('create_invoice', {
        customer: 'Ben',
        lines: [{ sku: 'TE-002', quantity: 1 }],
      });

      expect(await structured('void_invoice', { number })).toMatchObject({ number, status: 'void' });
    });

    it.each([
      ['find_products', { text: '' }, 'text'],
      ['get_product', { sku: 'teapot' }, 'sku'],
      ['get_product', { sku: 'XX-999' }, 'Find SKUs with find_products'],
      ['quote_order', { lines: [] }, 'lines'],
      ['quote_order', { lines: [{ sku: 'TE-001', quantity: 0 }] }, 'quantity'],
      ['quote_order', { lines: [{ sku: 'TE-001', quantity: 1 }], destination: 'moon' }, 'abroad'],
      ['create_invoice', { customer: 'Ada', lines: [{ sku: 'XX-999', quantity: 1 }] }, 'find_products'],
      ['get_invoice', { number: 'R-9999' }, 'Numbers come from create_invoice'],
    ])('answers %s(%j) with a hint at "%s"', async (name, args, hint) => {
      expect(await client.callTool(name, args)).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining(hint) }],
      });
    });
  });
}

describe('the shop over HTTP', () => {
  let app: StartedApp;

  beforeAll(async () => {
    app = await StartedApp.start(builtFile('monorepo-services', 'main.js'));
  });

  afterAll(async () => {
    expect(await app.stop()).toBe(0);
  });

  describeShop(() => ({ url: app.url }));
});

describe('the shop over stdio', () => {
  describeShop(() => ({
    command: process.execPath,
    args: [builtFile('monorepo-services', 'stdio.js')],
    env: { PATH: process.env.PATH ?? '' },
  }));
});
