import type { ChatTurnState } from '@toolwright/json';
import { Chat, type CallEnd, type ChatHost, type ChatTool, type MadeCall } from '../../src/index.js';
import type { StubModel } from './stub-model.js';

export const tool = (name: string, more: object = {}): ChatTool => ({
  name,
  inputSchema: { type: 'object' },
  ...more,
});

interface HostOptions {
  readonly tools?: readonly ChatTool[];
  /** Tools that are called only when the person agrees. */
  readonly asking?: readonly string[];
  readonly key?: string;
  readonly run?: (call: MadeCall) => CallEnd | Promise<CallEnd>;
}

/** A chat whose tools are functions of the test. */
export class TestChat implements ChatHost {
  readonly made: MadeCall[] = [];
  readonly chat: Chat;
  #changed: () => void = () => undefined;

  constructor(
    model: StubModel,
    private readonly options: HostOptions = {},
  ) {
    const { key } = options;
    this.chat = new Chat({ url: `${model.url}/chat/completions`, model: 'stub', ...(key && { key }) }, this);
  }

  async offered() {
    const { tools = [tool('find_order'), tool('refund_order')], asking = [] } = this.options;
    return { tools, system: 'Be kind.', isFree: (name: string) => !asking.includes(name) };
  }

  async call(call: MadeCall): Promise<CallEnd> {
    this.made.push(call);
    call.began(`call-${this.made.length}`);
    const run = this.options.run ?? (() => ({ result: { content: [{ type: 'text', text: 'ok' }] } }));
    return run(call);
  }

  /** How often the person has seen something new. */
  changes = 0;

  changed(): void {
    this.changes++;
    this.#changed();
  }

  now(): number {
    return 0;
  }

  /** Sends a message, and waits for the end of its turn. */
  async send(text: string): Promise<ChatTurnState> {
    this.chat.send(text);
    return this.until(({ state }) => state === 'ended');
  }

  /** Waits until the last turn is so. */
  until(is: (turn: ChatTurnState) => boolean): Promise<ChatTurnState> {
    return new Promise((resolve) => {
      const look = () => {
        const turn = this.chat.turns.at(-1)!;
        if (is(turn)) resolve(turn);
      };
      this.#changed = look;
      look();
    });
  }
}
