import { type ToolContext, ToolError } from '@toolwright/core';

/** Money is in whole cents. */
export interface Invoice {
  number: string;
  /** Email address. */
  customer: string;
  cents: number;
  refunded: number;
}

/** How often a request is sent when no answer comes. */
const ATTEMPTS = 3;

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
    const { ok, status, answer } = await send<Answer & { error?: string }>(`${this.resource}${path}`, {
      ...init,
      headers: { ...(init.headers as Record<string, string>), authorization: `Bearer ${token}` },
      signal: ctx.signal,
    });
    if (ok) return answer!;
    if (status === 403) throw new ToolError('The billing service does not let this user do that.');
    if (status === 409) throw new ToolError(answer!.error!);
    if (status === 503) throw new ToolError(AWAY);
    throw new Error(`The billing service answered ${status}: ${answer?.error}`);
  }
}

const AWAY = 'The billing service cannot be reached. Try again later.';

interface Sent<Answer> {
  readonly ok: boolean;
  readonly status: number;
  /** Missing where the answer is no JSON. */
  readonly answer?: Answer;
}

/**
 * A process of the service that ends breaks its connections, and another one answers the next request. Sending again is safe:
 * a key pays back once.
 */
async function send<Answer>(url: string, init: RequestInit): Promise<Sent<Answer>> {
  for (let attempt = 1; ; attempt++) {
    try {
      const response = await fetch(url, init);
      const text = await response.text();
      const { ok, status } = response;
      if (status === 503 && attempt < ATTEMPTS) continue;
      const isJson = response.headers.get('content-type')?.includes('json') ?? false;
      return { ok, status, ...(isJson && { answer: JSON.parse(text) as Answer }) };
    } catch (error) {
      init.signal?.throwIfAborted();
      if (attempt === ATTEMPTS) throw new ToolError(AWAY, { cause: error });
    }
  }
}
