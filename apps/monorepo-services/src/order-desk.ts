import { Catalogue, type OrderLine } from '@shop/catalogue';
import { type integer, McpService, McpTool } from '@toolwright/core';

const SHIPPING = { domestic: 490, abroad: 1_490 };
const FREE_FROM = 5_000;

export interface Quote {
  /** Cents. */
  goods: integer;
  /** Cents; orders of 50.00 and more are shipped for nothing within the country. */
  shipping: integer;
  /** Cents. */
  total: integer;
}

/** The app's own service, beside those of the packages. */
@McpService()
export class OrderDesk {
  constructor(private readonly catalogue: Catalogue) {}

  /**
   * Say what an order would cost. Returns the price of the goods, shipping and the total, in cents.
   * @param lines what would be bought
   * @param destination where it goes to
   */
  @McpTool({ name: 'quote_order', annotations: { readOnlyHint: true, openWorldHint: false } })
  quoteOrder(
    /** @minItems 1 @maxItems 50 */ lines: OrderLine[],
    destination: 'domestic' | 'abroad' = 'domestic',
  ): Quote {
    const goods = this.catalogue.priceOf(lines);
    const isFree = destination === 'domestic' && goods >= FREE_FROM;
    const shipping = isFree ? 0 : SHIPPING[destination];
    return { goods, shipping, total: goods + shipping };
  }
}
