interface Waiter {
  ticket: number;
  resolve(): void;
  reject(error: Error): void;
}

/** Callers of `flush`, each waiting for the last record that was queued when it called. */
export class FlushWaiters {
  private waiters: Waiter[] = [];

  wait(ticket: number): Promise<void> {
    return new Promise((resolve, reject) => this.waiters.push({ ticket, resolve, reject }));
  }

  /** Every record before this ticket is stored. */
  reached(ticket: number): void {
    const ready = this.waiters.filter((waiter) => waiter.ticket < ticket);
    this.waiters = this.waiters.filter((waiter) => waiter.ticket >= ticket);
    for (const { resolve } of ready) resolve();
  }

  /** Takes all who wait now; the returned function tells them. */
  takeAll(): (error: Error) => void {
    const waiters = this.waiters.splice(0);
    return (error) => {
      for (const { reject } of waiters) reject(error);
    };
  }
}
