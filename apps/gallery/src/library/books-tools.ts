import { type integer, MaxOutput, McpService, McpTool, ToolContext } from '@toolwright/core';
import { CallsApi } from '@toolwright/openapi';
import { LibraryApi, specification } from './api.js';
import type { Book } from './types.js';

interface FindBooksInput {
  /**
   * Words to look for
   * @minLength 2
   * @maxLength 80
   */
  q: string;
  /**
   * How many at most.
   * @minimum 1
   * @maximum 1000
   * @default 50
   */
  limit?: integer;
}

/** The books of the library. */
@McpService({ origin: 'Library', category: 'books' })
export class BooksTools {
  constructor(private readonly api: LibraryApi) {}

  /** Find books by words of their title or author. Returns a list. */
  @McpTool({ name: 'find_books', annotations: { readOnlyHint: true, openWorldHint: true } })
  @CallsApi('GET /books', specification)
  @MaxOutput({ tokens: 10_000 })
  async findBooks({ q, limit = 50 }: FindBooksInput, ctx: ToolContext): Promise<Book[]> {
    return this.api.list(
      { method: 'GET', path: '/books', query: { q } },
      { by: 'page', at: 'page', size: { name: 'per_page', most: 50 }, items: 'books', first: 1, limit },
      ctx,
    );
  }

  /**
   * Get a book, with the number of copies that can be borrowed.
   * @param isbn Thirteen digits
   */
  @McpTool({ name: 'get_book', annotations: { readOnlyHint: true, openWorldHint: true } })
  @CallsApi('GET /books/{isbn}', specification)
  async getBook(/** @minLength 1 @pattern ^\d{13}$ */ isbn: string, ctx: ToolContext): Promise<Book> {
    return this.api.call({ method: 'GET', path: '/books/{isbn}', params: { isbn } }, ctx);
  }
}
