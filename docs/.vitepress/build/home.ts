import type { Page } from './page.js';

/** The first page. `theme/landing.mts` puts it together; the tool of the left half is Markdown, so that it has colours. */
export function homePage(): Page {
  return {
    path: 'index.md',
    markdown: sample,
    frontmatter: {
      layout: 'home',
      title: 'Toolwright',
      titleTemplate: 'MCP servers from plain TypeScript classes',
      description:
        'A decorator-based framework for MCP servers in TypeScript. The signature of a method is the schema of the tool.',
    },
  };
}

const sample = `
\`\`\`ts
@McpService()
export class OrderTools {
  constructor(private readonly shop: Shop) {}

  /**
   * Order a book for the customer who is signed in.
   * @param coupon the code of a coupon
   */
  @McpTool({ name: 'place_order' })
  @RequireScopes('orders:write')
  @RateLimit({ points: 20, per: '1h' })
  async placeOrder(
    /** @pattern ^[0-9]{13}$ */ isbn: string,
    /** @minimum 1 */ copies: integer = 1,
    coupon?: string,
  ): Promise<Order> {
    return this.shop.order(isbn, copies, coupon);
  }
}

app.use('/mcp', mcpExpress(server)); // your Express app
\`\`\`
`;
