import { type integer, McpService, McpTool, ToolError } from '@toolwright/core';

export interface Order {
  id: string;
  customer: string;
  /** The day, such as 2026-11-02. */
  placed: string;
  /** In euros. */
  total: number;
}

export interface OrderPage {
  orders: Order[];
  /** How many orders there are in all. */
  count: integer;
  /** Where the next page begins. The last page has none. */
  next?: string;
}

@McpService()
export class ViewNameTools {
  private readonly orders = sampleOrders();

  /**
   * List orders in a table. Returns a page of them, and the cursor of the next page. (Say here what your tool lists.)
   * @param sort what the orders are sorted by
   * @param direction the direction of the sorting
   * @param limit how many orders a page has at most
   * @param cursor where the page begins: `next` of the page before. Leave it out for the first page
   */
  @McpTool({
    name: 'view_name',
    annotations: { readOnlyHint: true, openWorldHint: false },
    ui: { view: './views/view-name.tsx' },
  })
  viewName(
    sort: 'customer' | 'placed' | 'total' = 'placed',
    direction: 'ascending' | 'descending' = 'descending',
    /** @minimum 1 @maximum 100 */ limit: integer = 10,
    /** @maxLength 100 */ cursor?: string,
  ): OrderPage {
    const sign = direction === 'ascending' ? 1 : -1;
    const compare = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0);
    // Orders with the same value are in the order of their ids. So each one has exactly one place, which a cursor can name.
    const sorted = [...this.orders].sort((a, b) => sign * (compare(a[sort], b[sort]) || compare(a.id, b.id)));
    const before = cursor === undefined ? -1 : sorted.findIndex(({ id }) => id === cursor);
    if (cursor !== undefined && before < 0)
      throw new ToolError('There is no such cursor. Begin again without one.');
    const orders = sorted.slice(before + 1, before + 1 + limit);
    const last = orders.at(-1);
    const hasMore = before + 1 + limit < sorted.length;
    return { orders, count: sorted.length, ...(hasMore && last && { next: last.id }) };
  }
}

/** Orders to begin with. Ask your database in place of it. */
function sampleOrders(): Order[] {
  const customers = ['Ada', 'Blaise', 'Charles', 'Dorothy', 'Edsger', 'Frances', 'Grace'];
  return Array.from({ length: 42 }, (_, index) => ({
    id: `A-${1001 + index}`,
    customer: customers[(index * 3) % customers.length]!,
    placed: new Date(Date.UTC(2026, 8, 1 + index * 2)).toISOString().slice(0, 10),
    total: ((index * 7919) % 40_000) / 100 + 5,
  }));
}
