import { Catalogue } from '@shop/catalogue';
import { Billing } from './billing.js';
import { MemoryInvoices } from './memory-invoices.js';

const catalogue = new Catalogue([{ sku: 'TE-001', name: 'Teapot', price: 2_400 }]);

describe('Billing', () => {
  it('writes invoices at the catalogue’s prices, and numbers them', async () => {
    const billing = new Billing(catalogue, new MemoryInvoices());
    const lines = [{ sku: 'TE-001', quantity: 2 }];

    await billing.createInvoice('Ada', lines);

    expect(await billing.createInvoice('Ben', lines)).toEqual({
      number: 'R-0002',
      customer: 'Ben',
      lines,
      total: 4_800,
      status: 'open',
    });
  });

  it('keeps an invoice that is void', async () => {
    const billing = new Billing(catalogue, new MemoryInvoices());
    const { number } = await billing.createInvoice('Ada', [{ sku: 'TE-001', quantity: 1 }]);

    await billing.voidInvoice(number);

    expect(await billing.getInvoice(number)).toMatchObject({ customer: 'Ada', status: 'void' });
  });
});
