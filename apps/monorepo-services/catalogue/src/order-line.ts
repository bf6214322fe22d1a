import type { integer } from '@toolwright/core';

/** How many of which product. The tags hold wherever the type is used, also in other packages. */
export interface OrderLine {
  /**
   * The product's SKU, as find_products gives it.
   * @pattern ^[A-Z]{2}-\d{3}$
   */
  sku: string;
  /**
   * How many of it.
   * @minimum 1
   * @maximum 100
   */
  quantity: integer;
}
