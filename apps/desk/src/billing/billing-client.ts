import { type ToolContext, ToolError } from '@toolwright/core';

/** Money is in whole cents. */
export interface Invoice {
  number: string;
  /** Email address. */
  customer: string;
  cents: number;
  refunded: number;
}

/** Calls the billing service for the person who calls a tool, with a token of that person for that service. */
export class BillingClient {
  constructor(private readonly resource: string) {}

  async invoicesOf(customer: string, ctx: ToolContext): Promise<Invoice[]> {
    const query = new URLSearchParams({ customer });
    const { invoices } = await this.#ask<{ invoices: Invoice[] }>(ctx, 'billing:read', `/invoices?${query}`);
    return invoices;
  }

  /** @param refund.key the same key pays back once only */
  refund(
    { key, ...refund }: { key: string; invoice: string; cents: number },
    ctx: ToolContext,
  ): Promise<Invoice> {
    return this.#ask(ctx, 'billing:refund', '/refunds', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(refund),
    });
  }

  async #ask<Answer>(ctx: ToolContext, scope: string, path: string, init: RequestInit = {}): Promise<Answer> {
    const token = await ctx.tokenFor(this.resource, { scopes: [scope] });
    const response = await fetch(`${this.resource}${path}`, {
      ...init,
      headers: { ...(init.headers as Record<string, string>), authorization: `Bearer ${token}` },
      signal: ctx.signal,
    });
    const answer = (await response.json()) as Answer & { error?: string };
    if (response.ok) return answer;
    if (response.status === 403) throw new ToolError('The billing service does not let this user do that.');
    if (response.status === 409) throw new ToolError(answer.error!);
    throw new Error(`The billing service answered ${response.status}: ${answer.error}`);
  }
}
