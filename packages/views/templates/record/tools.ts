import { Confirm, McpService, McpTool, ToolError } from '@toolwright/core';

export interface Order {
  id: string;
  customer: string;
  status: 'open' | 'shipped' | 'cancelled';
  /** The day, such as 2026-11-02. */
  placed: string;
  /** In euros. */
  total: number;
}

/** A tool that the page offers for an order. */
export interface OrderAction {
  tool: 'ship_view_noun' | 'cancel_view_noun';
  title: string;
  /** Actions differ in their words first, and then in their look: the usual one, and one that takes something away. */
  tone: 'primary' | 'danger';
}

export interface OrderRecord {
  order: Order;
  /** What can be done with the order in its state. */
  actions: OrderAction[];
}

@McpService()
export class ViewNameTools {
  private readonly orders = new Map(sampleOrders().map((order) => [order.id, order]));

  /**
   * Show an order, with what can be done with it. Returns the order. (Say here what your tool shows, and when to use it.)
   * @param id the id of the order
   */
  @McpTool({
    name: 'view_name',
    annotations: { readOnlyHint: true, openWorldHint: false },
    ui: { view: './views/view-name.tsx' },
  })
  viewName(/** @maxLength 20 @example A-1001 */ id: string): OrderRecord {
    const order = this.find(id);
    const actions: OrderAction[] = [
      { tool: 'ship_view_noun', title: 'Mark as shipped', tone: 'primary' },
      { tool: 'cancel_view_noun', title: 'Cancel the order', tone: 'danger' },
    ];
    return { order, actions: order.status === 'open' ? actions : [] };
  }

  /**
   * Mark an open order as shipped. Returns the order.
   * @param id the id of the order
   */
  @McpTool({ name: 'ship_view_noun', annotations: { destructiveHint: false, openWorldHint: false } })
  shipViewNoun(/** @maxLength 20 */ id: string): OrderRecord {
    return this.change(id, 'shipped');
  }

  /**
   * Cancel an open order for good. Returns the order.
   * @param id the id of the order
   */
  @McpTool({ name: 'cancel_view_noun', annotations: { destructiveHint: true, openWorldHint: false } })
  @Confirm(({ id }: { id: string }, tools: ViewNameTools) => tools.questionFor(id), { fallback: 'argument' })
  cancelViewNoun(/** @maxLength 20 */ id: string): OrderRecord {
    return this.change(id, 'cancelled');
  }

  /** The server asks this, whoever calls. The page shows the question in a dialog. */
  questionFor(id: string): string {
    const { customer, total } = this.find(id);
    return `Cancel the order ${id} of ${customer} over ${total} EUR? This cannot be undone.`;
  }

  private change(id: string, status: Order['status']): OrderRecord {
    const order = this.find(id);
    if (order.status !== 'open') throw new ToolError(`The order ${id} is ${order.status} already.`);
    this.orders.set(id, { ...order, status });
    return this.viewName(id);
  }

  private find(id: string): Order {
    const order = this.orders.get(id);
    if (!order) throw new ToolError(`There is no order ${id}.`);
    return order;
  }
}

/** Orders to begin with. Ask your database in place of it. */
function sampleOrders(): Order[] {
  return [
    { id: 'A-1001', customer: 'Ada', status: 'open', placed: '2026-11-02', total: 128.5 },
    { id: 'A-1002', customer: 'Blaise', status: 'open', placed: '2026-11-05', total: 42 },
    { id: 'A-1003', customer: 'Grace', status: 'shipped', placed: '2026-10-30', total: 310.9 },
  ];
}
