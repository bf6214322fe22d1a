import type { OrderLine } from '@shop/catalogue';
import { type integer, Token } from '@toolwright/core';

export interface Invoice {
  /** Such as "R-0001". */
  number: string;
  customer: string;
  lines: OrderLine[];
  /** Cents. */
  total: integer;
  status: 'open' | 'void';
}

/** Where invoices are kept. */
export interface InvoiceStore {
  /** Keeps a new invoice under the next number. */
  add(invoice: Omit<Invoice, 'number'>): Promise<Invoice>;
  find(number: string): Promise<Invoice | undefined>;
  /** Replaces the invoice of that number. */
  save(invoice: Invoice): Promise<void>;
}

/** The interface has no value at run time, so that it goes by this token. */
export const INVOICES = new Token<InvoiceStore>('invoices');
