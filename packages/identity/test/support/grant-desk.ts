import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMcpServer, type McpServer, type Principal, type ToolContext } from '@toolwright/core';
import type { AuditEvent } from '@toolwright/core/ports';
import { type ExchangeRule, type GrantsOptions, oauthResourceServer } from '@toolwright/http';
import { connect, type ConnectOptions, type McpClient } from '@toolwright/testing';
import { type DevIssuer, startDevIssuer } from '../../src/dev.js';
import { Browser, hidden } from './browser.js';
import { type Json, Wire } from './wire.js';
import { CALENDAR, type GrantingIssuer, SCOPES, startGrantingIssuer } from './granting-issuer.js';
import { auditTo } from '../../../core/test/support/recording-sink.js';

export const people = [
  { subject: 'ann', name: 'Ann', scopes: [] },
  { subject: 'bea', name: 'Bea', scopes: [] },
  { subject: 'cleo', name: 'Cleo', scopes: [] },
];

type ServerOptions = Partial<Parameters<typeof createMcpServer>[0]>;

export interface GrantDeskOptions extends ServerOptions {
  readonly rule?: Partial<ExchangeRule>;
  readonly grants?: Partial<GrantsOptions>;
  /** Another process of the same server. */
  readonly beside?: GrantDesk;
  readonly tenant?: Parameters<typeof oauthResourceServer>[0]['tenant'];
}

/** What a tool said. */
export interface Said {
  readonly text: string;
  readonly isError: boolean;
}

interface CallOptions extends ConnectOptions {
  readonly person?: (url: string) => Promise<void>;
  readonly action?: string;
  readonly scopes?: readonly string[];
}

interface GrantAs extends CallOptions {
  readonly account?: string;
}

const taskClient = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'agent', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {
    elicitation: { url: {} },
    extensions: { 'io.modelcontextprotocol/tasks': {} },
  },
};

const noPerson = async (): Promise<void> => undefined;

/** A server whose tool uses the calendar of its caller, its page, and two real issuers. */
export class GrantDesk {
  readonly audit: AuditEvent[] = [];
  readonly logs: string[] = [];
  server!: McpServer;
  people!: DevIssuer;
  calendar!: GrantingIssuer;
  url!: string;
  client!: { clientId: string; clientSecret: string };
  #pageClient!: { clientId: string; clientSecret: string };
  readonly #http = createServer();
  #isBeside = false;

  static async open({ rule, grants, beside, tenant, ...options }: GrantDeskOptions = {}): Promise<GrantDesk> {
    const desk = new GrantDesk();
    await once(desk.#http.listen(0, '127.0.0.1'), 'listening');
    const origin = `http://127.0.0.1:${(desk.#http.address() as AddressInfo).port}`;
    desk.#isBeside = beside !== undefined;
    desk.url = beside?.url ?? `${origin}/connections`;
    const resource = new URL('/mcp', desk.url).href;
    desk.people = beside?.people ?? (await startDevIssuer({ users: people, resource }));
    desk.calendar = beside?.calendar ?? (await startGrantingIssuer());
    desk.client = beside?.client ?? (await desk.calendar.register(`${desk.url}/granted`));
    desk.#pageClient = beside ? beside.#pageClient : await register(desk.people, `${desk.url}/callback`);
    const log = (...words: unknown[]) => void desk.logs.push(JSON.stringify(words, errorsToo));
    desk.server = await createMcpServer({
      name: 'desk',
      version: '1.0.0',
      services: [],
      rateLimit: false,
      concurrency: false,
      logger: { debug: log, info: log, warn: log, error: log },
      audit: auditTo((event) => void desk.audit.push(event)),
      ...options,
    });
    desk.#addTools();
    const oauth = oauthResourceServer({
      resource,
      issuers: [desk.people.issuer],
      ...(tenant && { tenant }),
      exchange: {
        [CALENDAR]: {
          by: 'stored-grant',
          issuer: desk.calendar.issuer,
          ...desk.client,
          scopes: SCOPES,
          ...rule,
        },
      },
      grants: { url: desk.url, issuer: desk.people.issuer, ...desk.#pageClient, ...grants },
    });
    await oauth.attach(desk.server);
    desk.#http.on('request', (req, res) => oauth.pages(req, res));
    return desk;
  }

  principal(subject: string, further: Partial<Principal> = {}): Principal {
    return { issuer: this.people.issuer, subject, clientId: 'agent', scopes: [], ...further };
  }

  /** A client that can open pages, for a person. */
  connect(subject: string | undefined, options: ConnectOptions = {}): Promise<McpClient> {
    return connect(this.server, {
      capabilities: { elicitation: { url: {} } },
      ...(subject !== undefined && { principal: this.principal(subject) }),
      ...options,
    });
  }

  /** Calls the tool, which says the claims of the token that it has got. */
  async ask(client: McpClient, scopes?: readonly string[]): Promise<Said> {
    const result = await client.call('calendar', scopes ? { scopes } : {});
    return { text: (result.content[0] as { text: string }).text, isError: result.isError === true };
  }

  /** Calls the tool as somebody. `person` does what the person does at the address, and then the client answers. */
  async callAs(
    subject: string | undefined,
    { person = noPerson, action = 'accept', scopes, ...options }: CallOptions = {},
  ): Promise<Said & { opened: string[] }> {
    const opened: string[] = [];
    const client = await this.connect(subject, {
      elicit: async ({ url }) => {
        opened.push(url!);
        await person(url!);
        return { action } as never;
      },
      ...options,
    });
    const said = await this.ask(client, scopes);
    await client.close();
    return { ...said, opened };
  }

  /** Stores a grant, as a person who opens the page. */
  async grantAs(subject: string, { account = `${subject}@home`, ...options } = {} as GrantAs): Promise<void> {
    const person = async (url: string) => void (await grantOnPage(new Browser(), { url, subject, account }));
    const { text, isError } = await this.callAs(subject, { person, ...options });
    if (isError) throw new Error(text);
  }

  /** Calls the tool in a task. `person` does what the person does at the address. */
  async askInTask(subject: string, person = noPerson as (url: string) => Promise<void>): Promise<Said> {
    const wire = new Wire(this.server, this.principal(subject));
    const send = async (method: string, params: Json) => {
      const { result, error } = await wire.request(method, { ...params, _meta: taskClient });
      if (error) throw new Error(JSON.stringify(error));
      return result as Json;
    };
    const { taskId } = await send('tools/call', { name: 'calendar_later', arguments: {} });
    for (const answered = new Set<string>(); ;) {
      // Messages in memory take no turn of the event loop, and the task needs some.
      await new Promise((resolve) => setImmediate(resolve));
      const { status, result, inputRequests = {} } = await send('tasks/get', { taskId });
      if (result) return { text: result.content[0].text, isError: result.isError === true };
      if (!/^(?:working|input_required)$/.test(status as string)) throw new Error(`The task is ${status}.`);
      for (const [key, { params }] of Object.entries(inputRequests as Json)) {
        if (answered.has(key)) continue;
        answered.add(key);
        await person(params.url as string);
        await send('tasks/update', { taskId, inputResponses: { [key]: { action: 'accept' } } });
      }
    }
  }

  async close(): Promise<void> {
    this.#http.close();
    this.#http.closeAllConnections();
    await this.server.close();
    if (this.#isBeside) return;
    await this.people.close();
    await this.calendar.close();
  }

  #addTools(): void {
    const tool = {
      description: 'Reads the calendar.',
      inputSchema: {
        type: 'object',
        properties: { scopes: { type: 'array', items: { type: 'string' } } },
      },
      async handler({ scopes }: { scopes?: string[] }, ctx: ToolContext) {
        const token = await ctx.tokenFor(CALENDAR, scopes && { scopes });
        return Buffer.from(token.split('.')[1]!, 'base64url').toString();
      },
    };
    this.server.tools.add({ ...tool, name: 'calendar' } as never);
    this.server.tools.add({ ...tool, name: 'calendar_later', task: 'required' } as never);
  }
}

/** A person opens the address, signs in at the server and at the calendar. */
export async function grantOnPage(
  browser: Browser,
  {
    url,
    subject,
    account,
    decision = 'connect',
  }: { url: string; subject: string; account: string; decision?: string },
) {
  const { html } = await browser.openAs(subject, url);
  const shown = await browser.open(url, { token: hidden(html, 'token'), decision });
  return shown.html.includes('name="user"') ? browser.open(shown.at, { user: account }) : shown;
}

async function register({ issuer }: DevIssuer, redirect: string) {
  const response = await fetch(`${issuer}/reg`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'The page',
      redirect_uris: [redirect],
      token_endpoint_auth_method: 'client_secret_post',
    }),
  });
  const made = (await response.json()) as { client_id: string; client_secret: string };
  return { clientId: made.client_id, clientSecret: made.client_secret };
}

const errorsToo = (_key: string, value: unknown): unknown =>
  value instanceof Error ? { ...value, name: value.name, message: value.message, stack: value.stack } : value;
