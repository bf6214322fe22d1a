interface Waiter {
  ticket: number;
  resolve(): void;
  reject(error: Error): void;
}

/** The callers of `flush`. Each waits for the last record in the queue at the time of its call. */
export class FlushWaiters {
  private waiters: Waiter[] = [];

  wait(ticket: number): Promise<void> {
    return new Promise((resolve, reject) => this.waiters.push({ ticket, resolve, reject }));
  }

  /** Call this when every record before the ticket is stored. */
  reached(ticket: number): void {
    const ready = this.waiters.filter((waiter) => waiter.ticket < ticket);
    this.waiters = this.waiters.filter((waiter) => waiter.ticket >= ticket);
    for (const { resolve } of ready) resolve();
  }

  /** Removes all current waiters. The returned function rejects their promises. */
  takeAll(): (error: Error) => void {
    const waiters = this.waiters.splice(0);
    return (error) => {
      for (const { reject } of waiters) reject(error);
    };
  }
}
