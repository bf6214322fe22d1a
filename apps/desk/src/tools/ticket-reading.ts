import {
  CompletionProvider,
  type CompletionSource,
  Injectable,
  McpPrompt,
  McpResourceTemplate,
  McpService,
  type RequestContext,
  RequireScopes,
  ToolContext,
} from '@toolwright/core';
import { callerOf } from '../tenants/caller-of.js';
import type { Ticket } from '../tickets/ticket.js';
import { TicketStore } from '../tickets/ticket-store.js';

/** Completes the id of a ticket of the caller's tenant. */
@Injectable()
export class TicketIds implements CompletionSource {
  constructor(private readonly store: TicketStore) {}

  async complete(
    typed: string,
    _known: Readonly<Record<string, unknown>>,
    { principal }: RequestContext,
  ): Promise<string[]> {
    if (principal?.tenant === undefined) return [];
    return this.store.idsStartingWith({ tenant: principal.tenant, subject: principal.subject }, typed);
  }
}

/** Tickets as resources, which clients can subscribe to, and a prompt. */
@McpService()
@RequireScopes('tickets:read')
export class TicketReading {
  constructor(private readonly store: TicketStore) {}

  /** A ticket with its replies. The server tells subscribers when it changes. */
  @McpResourceTemplate({ uriTemplate: 'ticket://{id}', name: 'ticket', mimeType: 'application/json' })
  ticket(@CompletionProvider({ provider: TicketIds }) id: string, ctx: ToolContext): Promise<Ticket> {
    return this.store.get(callerOf(ctx), id);
  }

  /**
   * Draft an answer to a ticket.
   * @param ticketId such as ACME-1
   */
  @McpPrompt({ name: 'answer_ticket', title: 'Answer a ticket' })
  answerTicket(@CompletionProvider({ provider: TicketIds }) ticketId: string): string {
    return `Read ticket://${ticketId}. Draft an answer that is short and kind, and show it before you send it with reply_to_ticket.`;
  }
}
