import type { ConsoleEvent, ConsoleMethod, ParamsOf, ResultOf } from '@toolwright/console';

/** A page of the console, as far as its server sees it. */
export class ConsolePage {
  private constructor(
    readonly home: URL,
    private readonly cookie: string,
  ) {}

  /** @param address as `dev` printed it, with the token of the run */
  static async open(address: string): Promise<ConsolePage> {
    const answer = await fetch(address, { redirect: 'manual' });
    const [cookie] = answer.headers.get('set-cookie')!.split(';');
    const page = new ConsolePage(new URL(answer.headers.get('location')!, address), cookie!);
    return page;
  }

  /** @throws {Error} with the message for the person */
  async ask<M extends ConsoleMethod>(method: M, params: ParamsOf<M>): Promise<ResultOf<M>> {
    const answer = await fetch(new URL(`api/${method}`, this.home), {
      method: 'POST',
      headers: { cookie: this.cookie, 'content-type': 'application/json' },
      body: JSON.stringify(params),
    });
    const result = (await answer.json()) as ResultOf<M> & { message?: string };
    if (!answer.ok) throw new Error(result.message);
    return result;
  }

  /** Follows the events until the returned function is called. */
  async follow(listener: (event: ConsoleEvent) => void): Promise<() => void> {
    const stop = new AbortController();
    const { body } = await fetch(new URL('api/events', this.home), {
      headers: { cookie: this.cookie },
      signal: stop.signal,
    });
    void read(body!, listener).catch(() => undefined);
    return () => stop.abort();
  }

  /** Resolves with the first event that fits. */
  async hears<T extends ConsoleEvent['type']>(
    type: T,
    fits: (event: Extract<ConsoleEvent, { type: T }>) => boolean = () => true,
  ): Promise<Extract<ConsoleEvent, { type: T }>> {
    let stop: () => void = () => undefined;
    const found = await new Promise<Extract<ConsoleEvent, { type: T }>>((resolve, reject) => {
      this.follow((event) => {
        if (event.type === type && fits(event as never)) resolve(event as never);
      }).then((ended) => (stop = ended), reject);
    });
    stop();
    return found;
  }
}

async function read(
  body: ReadableStream<Uint8Array>,
  listener: (event: ConsoleEvent) => void,
): Promise<void> {
  let text = '';
  for await (const chunk of body.pipeThrough(
    new TextDecoderStream() as never,
  ) as unknown as AsyncIterable<string>) {
    text += chunk;
    const blocks = text.split('\n\n');
    text = blocks.pop()!;
    for (const block of blocks)
      if (block.startsWith('data: ')) listener(JSON.parse(block.slice('data: '.length)) as ConsoleEvent);
  }
}
