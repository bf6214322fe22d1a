import { Catalogue, type OrderLine } from '@shop/catalogue';
import { Confirm, Inject, McpService, McpTool, ToolError } from '@toolwright/core';
import { INVOICES, type Invoice, type InvoiceStore } from './invoice.js';

/** Invoices as tools. The catalogue comes from another package; both are built by the server that serves them. */
@McpService()
export class Billing {
  constructor(
    private readonly catalogue: Catalogue,
    @Inject(INVOICES) private readonly invoices: InvoiceStore,
  ) {}

  /**
   * Write an invoice at today's prices. Returns it with its number and its total in cents.
   * @param customer who pays
   * @param lines what was bought
   */
  @McpTool({ name: 'create_invoice', annotations: { destructiveHint: false, openWorldHint: false } })
  async createInvoice(
    /** @minLength 1 @maxLength 200 */ customer: string,
    /** @minItems 1 @maxItems 50 */ lines: OrderLine[],
  ): Promise<Invoice> {
    const total = this.catalogue.priceOf(lines);
    return this.invoices.add({ customer, lines, total, status: 'open' });
  }

  /**
   * Read an invoice. Returns its customer, lines, total in cents and status.
   * @param number number as create_invoice gives it
   */
  @McpTool({ name: 'get_invoice', annotations: { readOnlyHint: true, openWorldHint: false } })
  async getInvoice(/** @pattern ^R-\d{4}$ */ number: string): Promise<Invoice> {
    const invoice = await this.invoices.find(number);
    if (!invoice)
      throw new ToolError(`No invoice has the number ${number}. Numbers come from create_invoice.`);
    return invoice;
  }

  /**
   * Declare an invoice void, for good. The person behind the client is asked first. Returns the invoice as it is then.
   * @param number number as create_invoice gives it
   */
  @McpTool({
    name: 'void_invoice',
    annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },
  })
  @Confirm(({ number }: { number: string }) => `Declare invoice ${number} void?`)
  async voidInvoice(/** @pattern ^R-\d{4}$ */ number: string): Promise<Invoice> {
    const invoice: Invoice = { ...(await this.getInvoice(number)), status: 'void' };
    await this.invoices.save(invoice);
    return invoice;
  }
}
