import { isComparable } from '../src/model/planned-table';
import { writeFiles } from '../src/write/write-files';
import { OpenedShop } from './support/opened-shop';
import { SHOP } from './support/shop.sql';

let shop: OpenedShop;
beforeAll(async () => {
  shop = await OpenedShop.open(SHOP);
});
afterAll(() => shop.close());

const toolsOf = async (choices = {}) =>
  Object.fromEntries(
    (await shop.plan(choices)).tables.map(({ key, tools }) => [key, Object.values(tools).join(' ')]),
  );

test('each table and view has its tools, and those with a key can name a row', async () => {
  expect(await toolsOf()).toEqual({
    'public.Order Details': 'list_order_details',
    'public.active_customers': 'list_active_customers',
    'public.customers': 'list_customers get_customer',
    'public.deliveries': 'list_deliveries get_delivery',
    'public.log': 'list_logs',
    'public.measures': 'list_measures',
    'public.order_lines': 'list_order_lines get_order_line',
    'public.orders': 'list_orders get_order',
    'public.products': 'list_products get_product',
    'public.totals': 'list_totals',
  });
});

test('tables are written only where that is asked, and views never', async () => {
  const tools = await toolsOf({ write: ['products', 'log', 'active_*'] });
  expect(tools['public.products']).toBe(
    'list_products get_product insert_product update_product delete_product',
  );
  expect(tools['public.log']).toBe('list_logs insert_log');
  expect(tools['public.active_customers']).toBe('list_active_customers');
  expect(tools['public.orders']).toBe('list_orders get_order');
});

test('tables of another schema are told apart, and a unique index of columns that are never null is a key', async () => {
  expect(await toolsOf({ schemas: ['public', 'stock'], include: ['*products'] })).toEqual({
    'public.products': 'list_products get_product',
    'stock.products': 'list_stock_products get_stock_product',
  });
  expect(await toolsOf({ schemas: ['stock'] })).toEqual({ 'stock.products': 'list_products get_product' });
});

test('a name that fits nothing is a mistake, and not an empty choice', async () => {
  await expect(shop.plan({ include: ['custmers'] })).rejects.toThrow(
    '--include custmers names no table of public.',
  );
  await expect(shop.plan({ write: ['stock.products'] })).rejects.toThrow(
    '--write stock.products names no table',
  );
  await expect(shop.plan({ schemas: ['stok'] })).rejects.toThrow('Schemas with tables: public, stock.');
});

test('types come from the catalogue', async () => {
  const { tables, notes } = await shop.plan();
  const { columns } = tables.find(({ name }) => name === 'customers')!;
  const shown = columns.map(
    ({ member, type, kind, isList }) => `${member} ${type} ${kind}${isList ? ' list' : ''}`,
  );
  expect(shown).toEqual([
    'id bigint text',
    'name character varying text',
    'email text text',
    'born date text',
    'mood public.mood text',
    'balance numeric text',
    'score double precision number',
    'is_active boolean boolean',
    'password_hash text text',
    'settings jsonb json',
    'moods public.mood[] text list',
    'numbers bigint[] text list',
    'photo bytea bytes',
    'lives public.place json',
    'since public.year integer',
    'labels public.tags json',
    'code bpchar text',
    'seen timestamp with time zone time',
    'alarm timestamp without time zone time',
    'token_id uuid text',
    'full_name text text',
  ]);
  expect(columns.find(({ member }) => member === 'mood')!.values).toEqual(['glad', 'so-so', "it's bad"]);
  expect(columns.filter((each) => !isComparable(each)).map(({ member }) => member)).toEqual([
    'password_hash',
    'settings',
    'photo',
    'lives',
    'labels',
  ]);
  const unwritten = columns.filter(({ write }) => !write.isInNew).map(({ member }) => member);
  expect(unwritten).toEqual(['id', 'lives', 'labels', 'full_name']);
  expect(notes).toContain(
    'Not read: public.customers.password_hash (its name is that of a secret), public.customers.words (tsvector).',
  );
});

test.each(['password', 'passwordhash', 'user_passwd_salt', 'api_key', 'refresh_token'])(
  'a text with the name %s is never read, and a number is',
  async (name) => {
    await shop.pglite.exec(`CREATE SCHEMA secret; CREATE TABLE secret.t (id integer, ${name} text);
      CREATE TABLE secret.n (id integer, ${name} integer)`);
    const { tables } = await shop.plan({ schemas: ['secret'] });
    expect(tables.map(({ columns }) => columns.map(({ isSecret }) => isSecret))).toEqual([
      [false, false],
      [false, true],
    ]);
    await shop.pglite.exec('DROP SCHEMA secret CASCADE');
  },
);

test('names that no host accepts get others, and none collides', async () => {
  const { tables } = await shop.plan();
  const { columns } = tables.find(({ name }) => name === 'Order Details')!;
  expect(Object.fromEntries(columns.map(({ member, name }) => [member, name]))).toEqual({
    unit_price2: 'Unit Price',
    unit_price: 'unit_price',
    naive_drop_table_log: 'naïve; DROP TABLE "log"',
    class: 'class',
    proto: '__proto__',
    column_6: '価格',
    column_1st: '1st',
    classes: 'classes',
  });
});

test('the code of a table is what a person would write', async () => {
  const plan = await shop.plan({
    include: ['products', 'orders', 'order_lines'],
    write: ['products'],
    prefix: 'shop_',
  });
  const files = writeFiles(plan);
  expect([...files.keys()]).toEqual([
    'order-line-tools.ts',
    'order-tools.ts',
    'product-tools.ts',
    'database.ts',
    'index.ts',
  ]);
  expect(files.get('product-tools.ts'))
    .toBe(`import { Confirm, type integer, MaxOutput, McpService, McpTool, ToolContext } from '@toolwright/core';
import { type DatabaseTable, type ListRows, type RowPage, rowQuestion } from '@toolwright/tables';
import { AppDatabase } from './database.js';

const productTable: DatabaseTable = {
  schema: 'public',
  name: 'products',
  key: ['sku'],
  columns: {
    sku: 'text',
    name: 'text',
    price: 'numeric',
    rank: 'smallint',
  },
};

/** A row of products. */
export interface Product {
  sku: string;
  name: string;
  price: string;
  rank: integer | null;
}

type ProductColumn = 'sku' | 'name' | 'price' | 'rank';

/** What names a row of products. */
export interface ProductKey {
  sku: string;
}

/** A new row of products. */
export interface NewProduct {
  sku: string;
  name: string;
  price: string | number;
  rank?: integer | null;
}

/** What to change in a row of products. A column that is not given stays. */
export interface ProductChange extends ProductKey {
  name?: string;
  price?: string | number;
  rank?: integer | null;
}

@McpService({ origin: 'App', category: 'products' })
export class ProductTools {
  constructor(private readonly database: AppDatabase) {}

  /** List rows of products, in pages. */
  @McpTool({ name: 'shop_list_products', annotations: { readOnlyHint: true, openWorldHint: false } })
  @MaxOutput({ tokens: 10_000 })
  async listProducts(query: ListRows<ProductColumn>, ctx: ToolContext): Promise<RowPage<Product>> {
    return this.database.list(productTable, query, ctx);
  }

  /** Get the row of products with a key. */
  @McpTool({ name: 'shop_get_product', annotations: { readOnlyHint: true, openWorldHint: false } })
  @MaxOutput({ tokens: 10_000 })
  async getProduct(key: ProductKey, ctx: ToolContext): Promise<Product> {
    return this.database.get(productTable, key, ctx);
  }

  /** Add a row to products. Returns it as it is then. */
  @McpTool({ name: 'shop_insert_product', annotations: { destructiveHint: false, openWorldHint: false } })
  async insertProduct(row: NewProduct, ctx: ToolContext): Promise<Product> {
    return this.database.insert(productTable, row, ctx);
  }

  /** Change columns of a row of products. Returns it as it is then. */
  @McpTool({
    name: 'shop_update_product',
    annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },
  })
  @Confirm((change: ProductChange) => rowQuestion('Change product', productTable, change))
  async updateProduct(change: ProductChange, ctx: ToolContext): Promise<Product> {
    return this.database.update(productTable, change, ctx);
  }

  /** Delete a row of products for good. */
  @McpTool({
    name: 'shop_delete_product',
    annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },
  })
  @Confirm((key: ProductKey) => rowQuestion('Delete product', productTable, key))
  async deleteProduct(key: ProductKey, ctx: ToolContext): Promise<void> {
    return this.database.delete(productTable, key, ctx);
  }
}
`);
  const lines = files.get('order-line-tools.ts')!;
  expect(lines).toContain('  /** See shop_get_order */\n  order_id: integer;');
  expect(lines).toContain('  /** See shop_get_product */\n  sku: string | null;');
});

test('comments become descriptions that end nothing and hide nothing', async () => {
  const text = writeFiles(await shop.plan({ include: ['customers'] })).get('customer-tools.ts')!;
  expect(text).toContain('/** People who buy. * / sensitive {link x} Bold . */\n@McpService(');
  expect(text).toContain('  /** How we call them */\n  name: string;');
  expect(text).not.toContain('\u200b');
  expect(text).toContain("  mood: 'glad' | 'so-so' | 'it\\'s bad';");
  expect(text).toContain('  numbers: (string | null)[] | null;');
  expect(text).toContain('  photo?: Uint8Array | null;');
  expect(text).not.toContain('password_hash:  string');
});
