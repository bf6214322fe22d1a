import { McpService, McpTool, type Principal } from '@toolwright/core';

const usersOf = (tenant: string) => (principal: Principal | undefined) => principal?.tenant === tenant;

const look = { readOnlyHint: true, openWorldHint: false };

/** What Acme has plugged in. Its tool has the name of that of Globex, and each tenant sees its own. */
@McpService({ for: usersOf('acme') })
export class AcmeShop {
  private readonly bought = new Map([
    ['iris@example.com', ['Kettle', 'Tea strainer']],
    ['noah@example.com', ['Teapot']],
  ]);

  /**
   * Look up a customer in the shop of Acme. Returns what the customer has bought.
   * @param customer email address, as tickets have it
   */
  @McpTool({ name: 'look_up_customer', annotations: look })
  lookUp(customer: string): { customer: string; tenant: string; bought: string[] } {
    return { customer, tenant: 'acme', bought: this.bought.get(customer) ?? [] };
  }
}

/** What Globex has plugged in. */
@McpService({ for: usersOf('globex') })
export class GlobexDepots {
  private readonly parcels = new Map([['depot@example.org', { depot: 'Lyon', parcels: 12 }]]);

  /**
   * Look up a customer in the depots of Globex. Returns the parcels that are on their way.
   * @param customer email address, as tickets have it
   */
  @McpTool({ name: 'look_up_customer', annotations: look })
  lookUp(customer: string): { customer: string; tenant: string; depot?: string; parcels: number } {
    return { customer, tenant: 'globex', parcels: 0, ...this.parcels.get(customer) };
  }
}
