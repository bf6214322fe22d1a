import { Confirm, type McpServer, type ServerOptions } from '@toolwright/core';
import type { ToolDefinition } from '@toolwright/core/operate';
import { boot } from '../../../core/test/support/booting.js';
import { Gates } from '../../../core/test/support/gates.js';
import { RecordingSink } from '../../../core/test/support/recording-sink.js';
import { StatelessWire, type WireAnswer } from '../../../core/test/wire/stateless-wire.js';

export const CONFIRMED = { action: 'accept', content: { confirm: true, confirmed: true } };
export const secret = 'x'.repeat(32);

const takes = (name: string) => ({ type: 'object' as const, properties: { [name]: { type: 'string' } } });

/** A server whose tools note what they do. */
export class Shop {
  readonly sink = new RecordingSink();
  readonly gates = new Gates();
  /** What the tools have done. */
  readonly done: string[] = [];
  server!: McpServer;

  async start(options: Partial<ServerOptions> = {}, more: readonly ToolDefinition[] = []): Promise<this> {
    this.server = await boot({ codeMode: true, secrets: [secret], audit: this.sink, ...options });
    this.server.tools.add([...this.tools(), ...more]);
    return this;
  }

  tools(): ToolDefinition[] {
    const { done, gates } = this;
    const note = (word: string, what: unknown) => done.push(`${word} ${String(what)}`);
    return [
      {
        name: 'refund',
        description: 'Refund an order.',
        annotations: { destructiveHint: true },
        policies: [Confirm.entry()],
        inputSchema: takes('id'),
        outputSchema: { type: 'object' },
        async handler({ id }, ctx) {
          note('refund', `${String(id)} ${await ctx.once('pay', ({ idempotencyKey }) => idempotencyKey)}`);
          return { refunded: id };
        },
      },
      {
        name: 'note',
        description: 'Note something.',
        inputSchema: takes('what'),
        handler: ({ what }) => void note('note', what),
      },
      {
        name: 'look',
        description: 'Look something up.',
        annotations: { readOnlyHint: true },
        inputSchema: takes('what'),
        handler: ({ what }) => `${String(note('look', what))} looks`,
      },
      {
        name: 'wait',
        description: 'Wait at a gate.',
        inputSchema: takes('gate'),
        async handler({ gate }, { signal }) {
          note('wait', gate);
          await gates.wait(String(gate), signal);
          return `through ${String(gate)}`;
        },
      },
    ];
  }

  wire(subject = 'ann', scopes: string[] = []): StatelessWire {
    return StatelessWire.of(this.server, subject, { elicitation: { form: {} } }, scopes);
  }

  /** One round. `answered`: the questions of the round before, all of them confirmed. */
  async round(
    code: string,
    answered?: WireAnswer['result'],
    wire = this.wire(),
  ): Promise<WireAnswer['result']> {
    const responses = Object.keys(answered?.inputRequests ?? {}).map((key) => [key, CONFIRMED]);
    const { result, error } = await wire.call(
      'run_code',
      { code },
      answered && { requestState: answered.requestState, inputResponses: Object.fromEntries(responses) },
    );
    if (error) throw new Error(error.message);
    return result;
  }

  get records() {
    return this.sink.records.map(({ event, mode }) => ({ ...event, mode }));
  }

  recordsOf(name: string) {
    return this.records.filter((record) => record.name === name);
  }

  close(): Promise<void> {
    return this.server.close(0);
  }
}

export const textOf = (result: WireAnswer['result']): string => result.content[0].text as string;
