import { type integer, McpService, McpTool, RequireScopes, ToolContext, ToolError } from '@toolwright/core';
import { agentsOf } from '../tenants/tenants.js';
import { callerOf } from '../tenants/caller-of.js';
import type { Ticket, TicketStatus, TicketSummary } from '../tickets/ticket.js';
import { TicketStore } from '../tickets/ticket-store.js';

export interface Tickets {
  /** The one that changed last comes first. */
  tickets: TicketSummary[];
}

export interface Agent {
  /** What `assign_ticket` takes. */
  subject: string;
  name: string;
}

const read = { readOnlyHint: true, openWorldHint: false };
const write = { destructiveHint: false, openWorldHint: false };

/** The tickets of the caller's tenant. */
@McpService()
@RequireScopes('tickets:read')
export class TicketTools {
  constructor(private readonly store: TicketStore) {}

  /**
   * Search tickets by a part of the subject, the text or the customer's address. Returns those that changed last first.
   * @param query words that stand together in the ticket
   * @param limit how many at most
   */
  @McpTool({ name: 'search_tickets', annotations: read })
  async searchTickets(
    /** @minLength 2 @maxLength 200 */ query: string,
    ctx: ToolContext,
    /** @minimum 1 @maximum 100 */ limit: integer = 10,
  ): Promise<Tickets> {
    return { tickets: await this.store.search(callerOf(ctx), query, limit) };
  }

  /**
   * List tickets. Returns those that changed last first.
   * @param status only tickets with this status; all when left out
   * @param limit how many at most
   */
  @McpTool({ name: 'list_tickets', annotations: read })
  async listTickets(
    ctx: ToolContext,
    status?: TicketStatus,
    /** @minimum 1 @maximum 100 */ limit: integer = 20,
  ): Promise<Tickets> {
    return { tickets: await this.store.list(callerOf(ctx), status, limit) };
  }

  /**
   * Read a ticket with all its replies.
   * @param ticketId such as ACME-1, as search_tickets gives it
   */
  @McpTool({ name: 'get_ticket', annotations: read, ui: { view: './views/ticket.tsx', prefersBorder: true } })
  getTicket(ticketId: string, ctx: ToolContext): Promise<Ticket> {
    return this.store.get(callerOf(ctx), ticketId);
  }

  /** List the agents to whom tickets can be assigned. */
  @McpTool({ name: 'list_agents', annotations: read })
  listAgents(ctx: ToolContext): { agents: Agent[] } {
    return { agents: agentsOf(callerOf(ctx).tenant) };
  }

  /**
   * Open a ticket for a customer. Returns it with its id.
   * @param subject what it is about, in a few words
   * @param body what the customer says
   * @param customer email address of the customer
   */
  @McpTool({ name: 'create_ticket', annotations: write })
  @RequireScopes('tickets:write', { withClass: true })
  createTicket(
    /** @minLength 1 @maxLength 200 */ subject: string,
    /** @minLength 1 @maxLength 20000 */ body: string,
    /** @format email */ customer: string,
    ctx: ToolContext,
  ): Promise<TicketSummary> {
    return this.store.create(callerOf(ctx), { subject, body, customer });
  }

  /**
   * Reply to a ticket. A reply opens a closed ticket again. Returns the ticket.
   * @param ticketId such as ACME-1
   * @param text what the customer will read
   */
  @McpTool({ name: 'reply_to_ticket', annotations: write })
  @RequireScopes('tickets:write', { withClass: true })
  replyToTicket(
    ticketId: string,
    /** @minLength 1 @maxLength 20000 */ text: string,
    ctx: ToolContext,
  ): Promise<TicketSummary> {
    return this.store.reply(callerOf(ctx), ticketId, text);
  }

  /**
   * Assign a ticket to an agent. Returns the ticket.
   * @param ticketId such as ACME-1
   * @param agent a subject of list_agents
   */
  @McpTool({ name: 'assign_ticket', annotations: { ...write, idempotentHint: true } })
  @RequireScopes('tickets:write', { withClass: true })
  async assignTicket(ticketId: string, agent: string, ctx: ToolContext): Promise<TicketSummary> {
    const caller = callerOf(ctx);
    if (!agentsOf(caller.tenant).some(({ subject }) => subject === agent))
      throw new ToolError(`Nobody here is called "${agent}". Find agents with list_agents.`);
    return this.store.assign(caller, ticketId, agent);
  }

  /**
   * Close a ticket. Returns it.
   * @param ticketId such as ACME-1
   * @param resolution how it ended, in a sentence
   */
  @McpTool({ name: 'close_ticket', annotations: { ...write, idempotentHint: true } })
  @RequireScopes('tickets:write', { withClass: true })
  closeTicket(
    ticketId: string,
    /** @minLength 1 @maxLength 1000 */ resolution: string,
    ctx: ToolContext,
  ): Promise<TicketSummary> {
    return this.store.close(callerOf(ctx), ticketId, resolution);
  }
}
