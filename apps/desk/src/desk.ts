import { join } from 'node:path';
import { createMcpServer, type McpServer } from '@toolwright/core';
import type { ServerStores } from '@toolwright/core/ports';
import { type OAuthResourceServer, oauthResourceServer } from '@toolwright/http';
import { serveTransfers, type Transfers } from '@toolwright/http/transfers';
import { BillingClient } from './billing/billing-client.js';
import type { Database } from './database/database.js';
import { billingOf, type DeskSettings, endpointOf } from './desk-settings.js';
import { byTokenOrPage } from './pages/export-pages.js';
import { ticketsAsCsv } from './pages/tickets-as-csv.js';
import { agentOf } from './tenants/caller-of.js';
import { AcmeShop, GlobexDepots } from './tenants/plug-ins.js';
import { deskScopes, pointsFrom, TenantStore } from './tenants/tenants.js';
import { readTicketId, ticketUri } from './tickets/ticket.js';
import { TicketNotFound, TicketStore } from './tickets/ticket-store.js';
import { MoneyTools } from './tools/money-tools.js';
import { ReportTools } from './tools/report-tools.js';
import { TicketReading } from './tools/ticket-reading.js';
import { TicketTools } from './tools/ticket-tools.js';
import { brand } from './brand.js';
import { postToChat } from './post-to-chat.js';

/** The parts of the desk that the pages and the tools share. */
export interface Desk {
  readonly settings: DeskSettings;
  readonly server: McpServer;
  readonly oauth: OAuthResourceServer;
  readonly database: Database;
  readonly tickets: TicketStore;
  readonly tenants: TenantStore;
  /** Where exports are fetched. */
  readonly transfers: Transfers;
}

/** Where the desk keeps what its processes share, and what it works on. */
export interface DeskStores {
  readonly database: Database;
  readonly stores: ServerStores[];
  /** How many tasks this process works on at a time, where there is a queue. */
  readonly taskConcurrency?: number;
}

/** The desk of one process. All processes make theirs alike. */
export async function createDesk(
  { database, stores, taskConcurrency }: DeskStores,
  settings: DeskSettings,
): Promise<Desk> {
  const tickets = new TicketStore(database);
  const tenants = new TenantStore(database);
  const oauth = openOAuth(settings);
  const { issuer, client, secrets, origin } = settings;
  const server = await createMcpServer({
    name: 'desk',
    about: { title: 'Support desk', brand },
    version: '1.0.0',
    instructions:
      'The support desk of a company. Find tickets with search_tickets or list_tickets, then read them with get_ticket.',
    ports: { instanceId: settings.instance },
    services: [TicketTools, TicketReading, ReportTools, AcmeShop, GlobexDepots],
    // The desk has made this one itself.
    instances: [new MoneyTools(tickets, new BillingClient(billingOf(settings)))],
    providers: [
      { provide: TicketStore, useValue: tickets },
      { provide: TenantStore, useValue: tenants },
    ],
    // What models read of the desk's own errors.
    errors: [[TicketNotFound, ({ message }: TicketNotFound) => `${message} Find ids with search_tickets.`]],
    stores,
    secrets,
    ...(taskConcurrency !== undefined && { tasks: { concurrency: taskConcurrency } }),
    // A tool that nobody sees is never called, so nobody would ever ask for its scope.
    lockedTools: 'listed',
    // The users of a tenant share the points of its plan.
    rateLimit: {
      key: ({ principal }) => principal?.tenant ?? 'none',
      points: pointsFrom(tenants),
      per: '1m',
      acrossTools: true,
    },
    // The id of a ticket says whose it is. So the answer needs no database, and holds for each update, too.
    mayRead: (principal, { name }, _uri, { id }) =>
      name !== 'ticket' || readTicketId(String(id))?.tenant === principal?.tenant,
    approvals: {
      url: `${origin}/approvals`,
      oauth,
      issuer,
      clientId: client.id,
      clientSecret: client.secret,
      // A team lead who is away lets somebody else approve.
      delegation: '14d',
      ...(settings.chat !== undefined && { notify: postToChat(settings.chat) }),
    },
    audit: { file: join(settings.dataFolder, 'audit.jsonl') },
  });
  tickets.onChange((id) => server.resourceUpdated(ticketUri(id)));
  const transfers = await serveTransfers(server, {
    url: `${origin}/exports`,
    authenticate: byTokenOrPage({ oauth, issuer }),
    send: async (_about, agent) => {
      // The right to read may have been taken away since the link was made.
      if (!agent?.scopes.includes('tickets:read')) return undefined;
      const body = ticketsAsCsv(await tickets.list(agentOf(agent), undefined, 10_000));
      return { body, name: 'tickets.csv', type: 'text/csv; charset=utf-8' };
    },
  });
  return { settings, server, oauth, database, tickets, tenants, transfers };
}

function openOAuth(settings: DeskSettings): OAuthResourceServer {
  const { issuer, client } = settings;
  return oauthResourceServer({
    resource: endpointOf(settings),
    issuers: [issuer],
    scopesSupported: deskScopes,
    tenant: 'org',
    exchange: {
      [billingOf(settings)]: {
        by: 'token-exchange',
        issuer,
        clientId: client.id,
        clientSecret: client.secret,
        scopes: ['billing:read', 'billing:refund'],
      },
    },
  });
}
