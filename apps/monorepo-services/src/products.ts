import type { Product } from '@shop/catalogue';

/** What this shop sells. */
export const products: readonly Product[] = [
  { sku: 'KE-001', name: 'Kettle', price: 3_900 },
  { sku: 'TE-001', name: 'Teapot', price: 2_400 },
  { sku: 'TE-002', name: 'Tea cup', price: 650 },
  { sku: 'TE-003', name: 'Tea strainer', price: 480 },
];
