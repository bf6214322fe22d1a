export interface Book {
  isbn: string;
  title: string;
  author: string;
  /** Cents. */
  price: number;
  stock: number;
}

/** Thrown when an order cannot be filled; the message is for the customer. */
export class OrderError extends Error {
  override readonly name = 'OrderError';
}

/** The shop as it was before anybody thought of models: a plain class. */
export class Bookshop {
  private readonly books = new Map<string, Book>(
    [
      { isbn: '9780141439518', title: 'Pride and Prejudice', author: 'Jane Austen', price: 899, stock: 12 },
      { isbn: '9780141441146', title: 'Jane Eyre', author: 'Charlotte Brontë', price: 999, stock: 3 },
      { isbn: '9780142437247', title: 'Moby-Dick', author: 'Herman Melville', price: 1399, stock: 7 },
      { isbn: '9780141439471', title: 'Frankenstein', author: 'Mary Shelley', price: 799, stock: 0 },
    ].map((book) => [book.isbn, book]),
  );

  /** Books whose title or author contains the text, by title. */
  find(text: string): Book[] {
    const wanted = text.toLowerCase();
    const found = [...this.books.values()].filter(({ title, author }) =>
      `${title} ${author}`.toLowerCase().includes(wanted),
    );
    return found.sort((a, b) => a.title.localeCompare(b.title));
  }

  book(isbn: string): Book | undefined {
    return this.books.get(isbn);
  }

  /**
   * Takes copies from the stock.
   * @returns the price in cents
   * @throws {OrderError} an unknown book, or too few copies
   */
  order(isbn: string, copies: number): number {
    const book = this.books.get(isbn);
    if (!book) throw new OrderError(`We have no book with the ISBN ${isbn}.`);
    if (copies > book.stock) throw new OrderError(`There are only ${book.stock} copies of ${book.title}.`);
    book.stock -= copies;
    return book.price * copies;
  }
}
