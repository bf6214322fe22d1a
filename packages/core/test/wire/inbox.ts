/** The parsed messages that a client got. A test can wait for the next one. */
export class Inbox {
  readonly messages: any[] = [];
  #wake: (() => void)[] = [];

  put(text: string): void {
    this.messages.push(JSON.parse(text));
    for (const wake of this.#wake.splice(0)) wake();
  }

  /** The first message that matches, now or later. */
  async find(isWanted: (message: any) => boolean): Promise<any> {
    for (;;) {
      const found: unknown = this.messages.find(isWanted);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.#wake.push(resolve));
    }
  }

  /** The message at this position, counted from 1. */
  async at(place: number): Promise<any> {
    while (this.messages.length < place) await new Promise<void>((resolve) => this.#wake.push(resolve));
    return this.messages[place - 1];
  }
}
