import type { integer } from '@toolwright/core';

/** Something the shop sells. */
export interface Product {
  /** Two letters and three digits. */
  sku: string;
  name: string;
  /** Cents. */
  price: integer;
}
