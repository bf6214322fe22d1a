import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Confirm, createMcpServer, type McpServer, type Principal } from '@toolwright/core';
import { oauthResourceServer } from '@toolwright/http';
import { connect, type ConnectOptions, type McpClient } from '@toolwright/testing';
import { type RecordStore, silentLogger } from '@toolwright/core/ports';
import { startDevIssuer, type DevIssuer } from '../../src/dev.js';
import { type ApprovalsOptions, approvalPage } from '../../src/index.js';
import { auditTo } from '../../../core/test/support/recording-sink.js';

export const users = [
  { subject: 'ann', name: 'Ann', scopes: ['refunds:ask'] },
  { subject: 'bea', name: 'Bea', scopes: ['refunds:ask', 'refunds:approve'] },
  { subject: 'cleo', name: 'Cleo', scopes: [] },
  { subject: 'eli', name: 'Eli', scopes: ['refunds:approve'] },
].map((user) => ({ ...user, claims: { org: 'acme' } }));

/** Somebody with all rights, in another organisation. */
export const stranger = {
  subject: 'dora',
  name: 'Dora',
  scopes: ['refunds:ask', 'refunds:approve'],
  claims: { org: 'globex' },
};

type Options = Partial<Parameters<typeof createMcpServer>[0]>;

export interface DeskOptions extends Options {
  readonly lifetime?: number;
  readonly issuer?: DevIssuer;
  readonly url?: string;
  /** Another process whose issuer this one has, with a page of its own for the same endpoint. */
  readonly beside?: RefundDesk;
  /** The claim that holds the tenant, or a function of the claims. Default: there are no tenants. */
  readonly tenant?: Parameters<typeof oauthResourceServer>[0]['tenant'];
  readonly notify?: ApprovalsOptions['notify'];
  readonly delegation?: ApprovalsOptions['delegation'];
}

/** A server with refunds that a person approves on a page, its page, and a real issuer. */
export class RefundDesk {
  readonly refunds: unknown[] = [];
  /** The audit records of calls. */
  readonly audit: Record<string, unknown>[] = [];
  /** The audit records of approvals. */
  readonly history: Record<string, any>[] = [];
  server!: McpServer;
  issuer!: DevIssuer;
  url!: string;
  readonly #http = createServer();
  #ownsIssuer = false;
  #tenant: string | undefined;

  static async open(given: DeskOptions = {}): Promise<RefundDesk> {
    const { lifetime, beside, url, tenant, notify, delegation, ...options } = given;
    const { issuer = beside?.issuer, ...others } = options;
    const desk = new RefundDesk();
    desk.#http.listen(0, '127.0.0.1');
    await once(desk.#http, 'listening');
    const origin = `http://127.0.0.1:${(desk.#http.address() as AddressInfo).port}`;
    const resource = `${new URL(url ?? beside?.url ?? origin).origin}/mcp`;
    desk.#tenant = tenant && 'acme';
    desk.#ownsIssuer = !issuer;
    desk.issuer = issuer ?? (await startDevIssuer({ users: [...users, stranger], resource }));
    desk.url = url ?? `${origin}/approvals`;
    const client = await register(desk.issuer.issuer, `${desk.url}/callback`);
    desk.server = await createMcpServer({
      name: 'refunds',
      version: '1.0.0',
      services: [],
      rateLimit: false,
      logger: silentLogger,
      audit: auditTo(
        (event) => void (event.operation === 'approval' ? desk.history : desk.audit).push(event as never),
      ),
      ...others,
      approvals: {
        url: desk.url,
        oauth: oauthResourceServer({
          resource,
          issuers: [desk.issuer.issuer],
          ...(tenant !== undefined && { tenant }),
        }),
        issuer: desk.issuer.issuer,
        clientId: client.client_id,
        clientSecret: client.client_secret,
        ...(lifetime !== undefined && { lifetime }),
        ...(notify && { notify }),
        ...(delegation !== undefined && { delegation }),
      },
    });
    desk.#addTools();
    const page = approvalPage(desk.server);
    desk.#http.on('request', (req, res) => page(req, res));
    return desk;
  }

  /** A client with the capability to open pages, whose person is a test user. */
  connect(subject: string | undefined, options: ConnectOptions = {}): Promise<McpClient> {
    return connect(this.server, {
      capabilities: { elicitation: { url: {} } },
      ...(subject !== undefined && { principal: this.principal(subject) }),
      ...options,
    });
  }

  principal(subject: string): Principal {
    return {
      issuer: this.issuer.issuer,
      subject,
      clientId: 'agent',
      scopes: ['refunds:ask'],
      ...(this.#tenant !== undefined && { tenant: this.#tenant }),
    };
  }

  async close(): Promise<void> {
    this.#http.close();
    this.#http.closeAllConnections();
    await this.server.close();
    if (this.#ownsIssuer) await this.issuer.close();
  }

  #addTools(): void {
    const add = (
      name: string,
      approver?: { scope?: string; notCaller?: boolean; count?: number },
      { task, when }: { task?: 'required'; when?: (args: { amount?: number }) => boolean } = {},
    ) =>
      this.server.tools.add({
        name,
        ...(task && { task }),
        description: 'Pays money back.',
        annotations: { destructiveHint: true },
        inputSchema: {
          type: 'object',
          properties: {
            order: { type: 'string' },
            amount: { type: 'number' },
            card: { type: 'string', format: 'password' },
          },
          required: ['order'],
          additionalProperties: false,
        },
        policies: [
          Confirm.entry(({ order }: { order: string }) => `Refund order ${order}?`, {
            by: 'page',
            ...(approver && { approver }),
            ...(when && { when }),
          }),
        ],
        handler: (args: unknown) => {
          this.refunds.push(args);
          return 'refunded';
        },
      });
    add('refund', { scope: 'refunds:approve', notCaller: true });
    add('refund_later', { scope: 'refunds:approve', notCaller: true }, { task: 'required' });
    add('refund_own');
    add('refund_scoped', { scope: 'refunds:approve' });
    add('refund_four_eyes', { notCaller: true });
    add('refund_two', { scope: 'refunds:approve', count: 2 });
    const when = ({ amount = 0 }: { amount?: number }) => amount > 500;
    add('refund_above', { scope: 'refunds:approve', notCaller: true }, { when });
    add('refund_above_later', { scope: 'refunds:approve', notCaller: true }, { task: 'required', when });
  }
}

async function register(issuer: string, redirect: string) {
  const response = await fetch(`${issuer}/reg`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Approvals',
      redirect_uris: [redirect],
      token_endpoint_auth_method: 'client_secret_post',
    }),
  });
  return (await response.json()) as { client_id: string; client_secret: string };
}
