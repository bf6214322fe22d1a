import { type integer, McpService, McpTool, ToolError } from '@toolwright/core';
import { type Book, Bookshop, OrderError } from './bookshop.js';

/** What a model may do in the shop. The shop itself knows nothing of it. */
@McpService()
export class BookshopTools {
  constructor(private readonly shop: Bookshop) {}

  /**
   * Find books by title or author. Returns ISBN, title, author, price in cents and copies in stock.
   * @param text part of a title or of an author's name
   */
  @McpTool({ name: 'find_books', annotations: { readOnlyHint: true, openWorldHint: false } })
  findBooks(/** @minLength 1 */ text: string): { books: Book[] } {
    return { books: this.shop.find(text) };
  }

  /**
   * Order copies of a book. Returns the price in cents.
   * @param isbn ISBN as find_books gives it
   * @param copies how many
   */
  @McpTool({ name: 'order_book', annotations: { destructiveHint: false, openWorldHint: false } })
  orderBook(
    /** @pattern ^\d{13}$ */ isbn: string,
    /** @minimum 1 @maximum 10 */ copies: integer = 1,
  ): { price: number } {
    try {
      return { price: this.shop.order(isbn, copies) };
    } catch (error) {
      throw error instanceof OrderError ? new ToolError(error.message, { cause: error }) : error;
    }
  }
}
