import { Confirm, type integer, McpService, McpTool, ToolContext, ToolError } from '@toolwright/core';
import { Accounts } from './accounts.js';

export interface Balance {
  account: string;
  /** Cents. */
  balance: integer;
}

export interface Transfer {
  /** True when money was moved. */
  done: boolean;
  /** Cents left in the account that it came from. */
  balance: integer;
}

/** Three ways to ask before something is done that cannot be undone. They work alike in both eras of the protocol. */
@McpService()
export class TransferTools {
  constructor(private readonly accounts: Accounts) {}

  /**
   * Read the balance of an account, in cents.
   * @param account such as savings
   */
  @McpTool({ name: 'get_balance', annotations: { readOnlyHint: true, openWorldHint: false } })
  getBalance(account: string): Balance {
    return { account, balance: this.balanceOf(account) };
  }

  /**
   * Close an account for good. The person behind the client is asked first; without an answer nothing happens.
   * @param account such as savings
   */
  @McpTool({ name: 'close_account', annotations: { destructiveHint: true, openWorldHint: false } })
  @Confirm(({ account }: { account: string }, tools: TransferTools) => {
    const held = inUnits(tools.balanceOf(account));
    return `Close the account ${JSON.stringify(account)}, which holds ${held}, for good?`;
  })
  closeAccount(account: string): void {
    this.balanceOf(account);
    this.accounts.delete(account);
  }

  /**
   * Empty an account. Clients that cannot ask their user are told to ask, and to call again with confirmed: true.
   * Returns the balance as it is then.
   * @param account such as savings
   */
  @McpTool({ name: 'empty_account', annotations: { destructiveHint: true, openWorldHint: false } })
  @Confirm(({ account }: { account: string }) => `Empty the account ${JSON.stringify(account)}?`, {
    fallback: 'argument',
  })
  emptyAccount(account: string): Balance {
    this.balanceOf(account);
    this.accounts.set(account, 0);
    return { account, balance: 0 };
  }

  /**
   * Move money from one account to another. Small amounts are moved at once; for 100.00 and more the person behind the
   * client is asked, who may choose a smaller amount. Returns whether money was moved, and what is left.
   * @param from account that it comes from
   * @param to account that it goes to
   * @param amount cents
   */
  @McpTool({ name: 'transfer_money', annotations: { destructiveHint: true, openWorldHint: false } })
  async transferMoney(
    from: string,
    to: string,
    /** @minimum 1 @maximum 10000000 */ amount: integer,
    ctx: ToolContext,
  ): Promise<Transfer> {
    this.requireAmount(from, to, amount);
    const agreed = amount < 10_000 ? amount : await this.askAmount(from, amount, ctx);
    if (agreed === 0) return { done: false, balance: this.balanceOf(from) };
    // On 2026-07-28 each answer runs the method again from its start, also that of a question added below one day.
    await ctx.once('transfer', () => this.accounts.move(from, to, agreed));
    return { done: true, balance: this.balanceOf(from) };
  }

  /** What the person wants to move, in cents; 0 for nothing. */
  private async askAmount(from: string, amount: number, ctx: ToolContext): Promise<number> {
    const { action, content } = await ctx.elicit<{ amount: number }>('amount', {
      message: `Move ${inUnits(amount)} from ${JSON.stringify(from)}?`,
      schema: {
        type: 'object',
        properties: {
          amount: { type: 'integer', title: 'Cents to move', minimum: 1, maximum: amount, default: amount },
        },
        required: ['amount'],
      },
    });
    return action === 'accept' && content ? content.amount : 0;
  }

  private requireAmount(from: string, to: string, amount: number): void {
    if (from === to) throw new ToolError('"from" and "to" are the same account. Send two different ones.');
    this.balanceOf(to);
    const balance = this.balanceOf(from);
    if (amount > balance) throw new ToolError(`There are ${balance} cents in "${from}". Send that or less.`);
  }

  private balanceOf(account: string): number {
    const balance = this.accounts.get(account);
    if (balance !== undefined) return balance;
    throw new ToolError(
      `There is no account "${account}". Send one of ${[...this.accounts.keys()].join(', ')}.`,
    );
  }
}

/** Cents as people write them. */
function inUnits(cents: number): string {
  return (cents / 100).toFixed(2);
}
