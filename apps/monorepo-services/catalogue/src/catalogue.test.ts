import { Catalogue } from './catalogue.js';

const catalogue = new Catalogue([
  { sku: 'TE-001', name: 'Teapot', price: 2_400 },
  { sku: 'TE-002', name: 'Tea cup', price: 600 },
  { sku: 'SP-001', name: 'Spoon', price: 150 },
]);

describe('Catalogue', () => {
  it('finds products by part of their name, by name', () => {
    const { products } = catalogue.findProducts('tea');

    expect(products.map(({ name }) => name)).toEqual(['Tea cup', 'Teapot']);
  });

  it('gives no more than the limit', () => {
    expect(catalogue.findProducts('tea', 1).products).toHaveLength(1);
  });

  it('adds up an order', () => {
    const lines = [
      { sku: 'TE-001', quantity: 1 },
      { sku: 'SP-001', quantity: 4 },
    ];

    expect(catalogue.priceOf(lines)).toBe(3_000);
  });

  it('says where to find SKUs', () => {
    expect(() => catalogue.getProduct('XX-999')).toThrow('No product has the SKU XX-999. Find SKUs with');
  });
});
