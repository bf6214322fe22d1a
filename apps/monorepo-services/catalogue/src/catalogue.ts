import { Inject, type integer, McpService, McpTool, ToolError, Token } from '@toolwright/core';
import type { OrderLine } from './order-line.js';
import type { Product } from './product.js';

/** What the shop sells. Whoever serves the catalogue provides it. */
export const PRODUCTS = new Token<readonly Product[]>('products');

/** The products of the shop: a class for the other packages, and two tools for models. */
@McpService()
export class Catalogue {
  constructor(@Inject(PRODUCTS) private readonly products: readonly Product[]) {}

  /**
   * Find products by name. Returns SKU, name and price in cents of each, by name.
   * @param text part of a name
   * @param limit how many products at most
   */
  @McpTool({ name: 'find_products', annotations: { readOnlyHint: true, openWorldHint: false } })
  findProducts(
    /** @minLength 1 @maxLength 100 */ text: string,
    /** @minimum 1 @maximum 50 */ limit: integer = 10,
  ): { products: Product[] } {
    const wanted = text.toLowerCase();
    const found = this.products.filter(({ name }) => name.toLowerCase().includes(wanted));
    return { products: found.sort((a, b) => a.name.localeCompare(b.name)).slice(0, limit) };
  }

  /**
   * Look up a product. Returns its SKU, name and price in cents.
   * @param sku SKU as find_products gives it
   */
  @McpTool({ name: 'get_product', annotations: { readOnlyHint: true, openWorldHint: false } })
  getProduct(/** @pattern ^[A-Z]{2}-\d{3}$ */ sku: string): Product {
    const product = this.products.find((each) => each.sku === sku);
    if (!product) throw new ToolError(`No product has the SKU ${sku}. Find SKUs with find_products.`);
    return product;
  }

  /** What the lines cost together, in cents. Not a tool: for the other packages. */
  priceOf(lines: readonly OrderLine[]): number {
    return lines.reduce((sum, { sku, quantity }) => sum + quantity * this.getProduct(sku).price, 0);
  }
}
