import type { McpClient } from '../../../../packages/client/src/index.js';

type Data = Record<string, any>;

/** What a job costs a model. Tokens are those of o200k, counted once each, without the list of tools. */
export interface JobCost {
  readonly tokens: number;
  /** What the model reads over all its rounds, with the list and all that was said, where no cache of prompts helps. */
  readonly read: number;
  /** Answers of the model, the last one with the result among them. */
  readonly rounds: number;
  /** What the server and the client in memory took. */
  readonly ms: number;
}

/** One conversation of a scripted model with a server. */
export class Conversation {
  #tokens = 0;
  #read = 0;
  #rounds = 0;
  #ms = 0;

  /**
   * @param listTokens those of the list, which each round has
   * @param through `call_tool`, where the model calls tools by it
   */
  constructor(
    private readonly client: Pick<McpClient, 'call'>,
    private readonly listTokens: number,
    private readonly count: (text: string) => number,
    private readonly through?: string,
  ) {}

  /** One answer of the model: calls that it makes at the same time. */
  async turn(...calls: readonly (readonly [name: string, args: Data])[]): Promise<Data[]> {
    const sent = calls.map(([name, args]) =>
      this.through === undefined || isOfSearch(name)
        ? ([name, args] as const)
        : ([this.through, { name, arguments: args }] as const),
    );
    this.#answer();
    for (const [name, args] of sent) this.#tokens += this.count(JSON.stringify({ name, arguments: args }));
    const began = performance.now();
    const results = await Promise.all(sent.map(([name, args]) => this.client.call(name, args)));
    this.#ms += performance.now() - began;
    return results.map(({ content, structuredContent, isError }, index) => {
      const text = (content as { text?: string }[]).map((block) => block.text ?? '').join('\n');
      if (isError) throw new Error(`${sent[index]![0]} failed: ${text}`);
      this.#tokens += this.count(text);
      return (structuredContent ?? {}) as Data;
    });
  }

  /** The model says the result. Its words are the same in each way, so they are not counted. */
  end(): JobCost {
    this.#answer();
    return { tokens: this.#tokens, read: this.#read, rounds: this.#rounds, ms: this.#ms };
  }

  #answer(): void {
    this.#rounds++;
    this.#read += this.listTokens + this.#tokens;
  }
}

const isOfSearch = (name: string) => name === 'search_tools' || name === 'describe_tool';
