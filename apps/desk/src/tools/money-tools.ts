import {
  Confirm,
  type integer,
  McpService,
  McpTool,
  RequireScopes,
  ToolContext,
  ToolError,
} from '@toolwright/core';
import { BillingClient, type Invoice } from '../billing/billing-client.js';
import { callerOf } from '../tenants/caller-of.js';
import { TicketStore } from '../tickets/ticket-store.js';

/** What the billing service does for the person who calls. */
@McpService()
@RequireScopes('tickets:read')
export class MoneyTools {
  constructor(
    private readonly store: TicketStore,
    private readonly billing: BillingClient,
  ) {}

  /**
   * List the invoices of the customer of a ticket. Returns amounts in cents.
   * @param ticketId such as ACME-1
   */
  @McpTool({ name: 'list_invoices', annotations: { readOnlyHint: true, openWorldHint: true } })
  async listInvoices(ticketId: string, ctx: ToolContext): Promise<{ invoices: Invoice[] }> {
    const ticket = await this.store.get(callerOf(ctx), ticketId);
    return { invoices: await this.billing.invoicesOf(ticket.customer, ctx) };
  }

  /**
   * Pay money back to the customer of a ticket. From 1.00 on, another person of the team has to approve it on a page.
   * Returns the invoice as it is then, in cents.
   * @param ticketId such as ACME-1
   * @param invoice number of the invoice, as list_invoices gives it
   * @param cents how much
   */
  @McpTool({ name: 'refund', annotations: { destructiveHint: true, openWorldHint: true } })
  @RequireScopes('refunds:ask', { withClass: true })
  @Confirm(
    ({ ticketId, invoice, cents }: { ticketId: string; invoice: string; cents: number }) =>
      `Pay back ${(cents / 100).toFixed(2)} of invoice ${invoice} for ticket ${ticketId}?`,
    {
      by: 'page',
      approver: { scope: 'refunds:approve', notCaller: true },
      when: ({ cents }: { cents: number }) => cents >= 100,
    },
  )
  async refund(
    ticketId: string,
    invoice: string,
    /** @minimum 1 @maximum 100000000 */ cents: integer,
    ctx: ToolContext,
  ): Promise<Invoice> {
    const caller = callerOf(ctx);
    const ticket = await this.store.get(caller, ticketId);
    const invoices = await this.billing.invoicesOf(ticket.customer, ctx);
    if (!invoices.some(({ number }) => number === invoice))
      throw new ToolError(
        `The customer of ${ticketId} has no such invoice. Find invoices with list_invoices.`,
      );
    const paid = await ctx.once('refund', ({ idempotencyKey }) =>
      this.billing.refund({ key: idempotencyKey, invoice, cents }, ctx),
    );
    await this.store.reply(caller, ticketId, `We have paid back ${(cents / 100).toFixed(2)}.`);
    return paid;
  }
}
