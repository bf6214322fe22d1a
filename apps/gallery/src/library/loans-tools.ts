import { type integer, McpService, McpTool, ToolContext } from '@toolwright/core';
import { CallsApi } from '@toolwright/openapi';
import { LibraryApi, specification } from './api.js';
import type { Loan } from './types.js';

interface CreateLoanInput {
  /**
   * Which book
   * @pattern ^\d{13}$
   */
  isbn: string;
  /**
   * The number of the library card
   * @minimum 1
   */
  reader: bigint;
  /**
   * Default: 3.
   * @minimum 1
   * @maximum 6
   */
  weeks?: integer;
}

/** Who has which book. */
@McpService({ origin: 'Library', category: 'loans' })
export class LoansTools {
  constructor(private readonly api: LibraryApi) {}

  /** Lend a book to a reader. Returns the loan, with the day on which the book is due. */
  @McpTool({ name: 'lend_book', annotations: { destructiveHint: false, openWorldHint: true } })
  @CallsApi('POST /loans', specification)
  async createLoan(body: CreateLoanInput, ctx: ToolContext): Promise<Loan> {
    return this.api.call({ method: 'POST', path: '/loans', body }, ctx);
  }

  /** End a loan, because the book is back. */
  @McpTool({
    name: 'end_loan',
    annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: true },
  })
  @CallsApi('DELETE /loans/{id}', specification)
  async endLoan(/** @minimum 1 */ id: bigint, ctx: ToolContext): Promise<void> {
    await this.api.send({ method: 'DELETE', path: '/loans/{id}', params: { id } }, ctx);
  }
}
