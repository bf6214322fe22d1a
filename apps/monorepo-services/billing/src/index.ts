export { Billing } from './billing.js';
export { INVOICES, type Invoice, type InvoiceStore } from './invoice.js';
export { MemoryInvoices } from './memory-invoices.js';
