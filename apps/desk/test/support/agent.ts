import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Keeper } from '../../../../packages/identity/test/support/oauth-client.js';
import { Person } from '../../../../packages/identity/test/support/person.js';

export interface ToolAnswer {
  readonly isError?: boolean;
  readonly structuredContent?: unknown;
  readonly content: readonly {
    type: string;
    text?: string;
    uri?: string;
    data?: string;
    mimeType?: string;
  }[];
}

export interface AgentOptions {
  /** The person opens the page of a question. Default: nobody does. */
  readonly onPage?: (url: string) => Promise<void>;
}

/** The revision of the last handshake, and the one without sessions. */
export type Mode = 'legacy' | { pin: string };

/** Somebody at the desk, with the official client. The client registers at the issuer, and its person signs in there. */
export class Agent {
  readonly #updates = new Map<string, () => void>();

  private constructor(
    readonly client: Client,
    private readonly keeper: Keeper,
    private readonly mode: Mode,
  ) {}

  static async signIn(
    endpoint: string,
    user: string,
    options: AgentOptions = {},
    mode: Mode = { pin: '2026-07-28' },
  ) {
    const keeper = new Keeper(new Person(user));
    for (let attempt = 1; ; attempt++) {
      const client = new Client(
        { name: 'agent', version: '1.0.0' },
        { versionNegotiation: { mode }, capabilities: { elicitation: { form: {}, url: {} } } },
      );
      const agent = new Agent(client, keeper, mode);
      agent.#listen(options);
      const transport = new StreamableHTTPClientTransport(new URL(endpoint), {
        authProvider: keeper as never,
      });
      try {
        await client.connect(transport);
        await client.listTools();
        return agent;
      } catch (error) {
        if ((error as Error).constructor.name !== 'UnauthorizedError' || attempt > 1) throw error;
        await transport.finishAuth(keeper.answerFor('v2'));
      }
    }
  }

  /** The access token, for requests that the official client does not make. */
  get token(): string {
    return this.keeper.tokens_!.access_token;
  }

  async tools() {
    return (await this.client.listTools()).tools;
  }

  async call(name: string, args: Record<string, unknown> = {}): Promise<ToolAnswer> {
    return (await this.client.callTool({ name, arguments: args })) as ToolAnswer;
  }

  /** What a tool returns as data. @throws {Error} with its text when it refuses */
  async data<Value>(name: string, args: Record<string, unknown> = {}): Promise<Value> {
    const { isError, content, structuredContent } = await this.call(name, args);
    if (isError) throw new Error(content[0]!.text);
    return structuredContent as Value;
  }

  async read(uri: string): Promise<Record<string, unknown>> {
    const [contents] = (await this.client.readResource({ uri })).contents as { text: string }[];
    return JSON.parse(contents!.text) as Record<string, unknown>;
  }

  async watch(uri: string, onUpdate: () => void): Promise<void> {
    this.#updates.set(uri, onUpdate);
    if (this.mode === 'legacy') await this.client.subscribeResource({ uri });
    else await this.client.listen({ resourceSubscriptions: [uri] });
  }

  close(): Promise<void> {
    return this.client.close();
  }

  #listen({ onPage }: AgentOptions): void {
    this.client.setNotificationHandler('notifications/resources/updated', ({ params }) =>
      this.#updates.get(params.uri)?.(),
    );
    this.client.setRequestHandler('elicitation/create', async ({ params }) => {
      const { url } = params as { url?: string };
      if (!onPage || url === undefined) return { action: 'decline' as const };
      await onPage(url);
      return { action: 'accept' as const };
    });
  }
}
