import type { Invoice, InvoiceStore } from './invoice.js';

/** Keeps invoices as long as the process lives. */
export class MemoryInvoices implements InvoiceStore {
  private readonly invoices = new Map<string, Invoice>();

  async add(invoice: Omit<Invoice, 'number'>): Promise<Invoice> {
    const numbered = { number: `R-${String(this.invoices.size + 1).padStart(4, '0')}`, ...invoice };
    this.invoices.set(numbered.number, numbered);
    return numbered;
  }

  async find(number: string): Promise<Invoice | undefined> {
    return this.invoices.get(number);
  }

  async save(invoice: Invoice): Promise<void> {
    this.invoices.set(invoice.number, invoice);
  }
}
