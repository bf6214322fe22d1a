import { Injectable } from '@toolwright/core';

/** Accounts and their balances in cents, as long as the process lives. */
@Injectable()
export class Accounts extends Map<string, number> {
  constructor() {
    super([
      ['current', 150_000],
      ['savings', 2_000_000],
    ]);
  }

  move(from: string, to: string, amount: number): void {
    this.set(from, this.get(from)! - amount);
    this.set(to, this.get(to)! + amount);
  }
}
