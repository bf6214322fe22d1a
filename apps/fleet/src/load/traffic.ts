import { callTool, type Answer } from './wire.js';

export interface TrafficOptions {
  /** How many calls are under way at a time. */
  lanes: number;
  /** Default `whoami`. */
  tool?: string;
  arguments?: Record<string, unknown>;
  /** The sessions that take turns. Default: the calls are of 2026-07-28 and have no session. */
  sessions?: readonly { user: string; session: string }[];
}

/** Calls that follow each other until they are stopped. */
export class Traffic {
  /** What happened to the calls that were not served. */
  readonly lost: string[] = [];
  /** The numbers of the calls that were not served: the first call is 1. */
  readonly lostNumbers: number[] = [];
  /** The numbers of the calls that are not answered yet. */
  readonly underWay = new Set<number>();
  /** How long each served call took, in milliseconds. */
  readonly latencies: number[] = [];
  #sent = 0;
  #isOver = false;
  #lanes: Promise<unknown> = Promise.resolve();
  readonly #waiting = new Set<() => void>();

  private constructor(
    private readonly url: string,
    private readonly options: TrafficOptions,
  ) {}

  static start(url: string, options: TrafficOptions): Traffic {
    const traffic = new Traffic(url, options);
    traffic.#lanes = Promise.all(Array.from({ length: options.lanes }, () => traffic.#lane()));
    return traffic;
  }

  /** How many calls were sent. */
  get sent(): number {
    return this.#sent;
  }

  /** How many calls were served. */
  get count(): number {
    return this.latencies.length;
  }

  /** Resolves when so many more calls were served. */
  served(more: number): Promise<void> {
    const goal = this.count + more;
    return new Promise((resolve) => {
      const look = () => {
        if (this.count < goal) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
    });
  }

  /** Waits for the calls that are under way. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#lanes;
  }

  async #lane(): Promise<void> {
    while (!this.#isOver) {
      const start = performance.now();
      const number = ++this.#sent;
      this.underWay.add(number);
      const failure = await this.#call(number).then(failureOf, (error: unknown) => String(error));
      this.underWay.delete(number);
      if (failure === undefined) this.latencies.push(performance.now() - start);
      else {
        this.lost.push(failure);
        this.lostNumbers.push(number);
      }
      for (const look of [...this.#waiting]) look();
    }
  }

  #call(id: number): Promise<Answer> {
    const { tool = 'whoami', sessions, arguments: args = {} } = this.options;
    return callTool(this.url, tool, args, { ...sessions?.[id % sessions.length], id });
  }
}

/** Undefined for a call that was served. */
function failureOf({ status, message }: Answer): string | undefined {
  if (status === 200 && message?.result && !message.result.isError) return undefined;
  return `${status} ${JSON.stringify(message)}`;
}
