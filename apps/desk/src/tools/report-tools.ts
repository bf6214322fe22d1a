import {
  type ImageContent,
  image,
  type integer,
  McpService,
  McpTool,
  RequireScopes,
  type ResourceLink,
  resourceLink,
  type TextContent,
  text,
  Timeout,
  ToolContext,
} from '@toolwright/core';
import '@toolwright/http/transfers';
import { callerOf } from '../tenants/caller-of.js';
import { TenantStore } from '../tenants/tenants.js';
import { TicketStore } from '../tickets/ticket-store.js';
import { drawChart } from './draw-chart.js';

export interface Report {
  tenant: string;
  days: integer;
  opened: integer;
  closed: integer;
  /** Days on which nothing was opened. */
  quietDays: integer;
}

const read = { readOnlyHint: true, openWorldHint: false };

/** What a team lead looks at. */
@McpService()
@RequireScopes('tickets:read')
export class ReportTools {
  constructor(
    private readonly store: TicketStore,
    private readonly tenants: TenantStore,
  ) {}

  /**
   * Report on the tickets of the last days. Clients that know tasks get one, and come back for the result.
   * @param days how many days
   */
  @McpTool({ name: 'report_tickets', annotations: read, task: 'optional' })
  @Timeout('10m')
  async reportTickets(ctx: ToolContext, /** @minimum 1 @maximum 365 */ days: integer = 30): Promise<Report> {
    const caller = callerOf(ctx);
    const counts = await this.store.countByDay(caller, days);
    const tenant = await this.tenants.find(caller.tenant);
    const report = { tenant: tenant?.name ?? caller.tenant, days, opened: 0, closed: 0, quietDays: 0 };
    for (const [index, { opened, closed }] of counts.entries()) {
      report.opened += opened;
      report.closed += closed;
      if (opened === 0) report.quietDays += 1;
      ctx.progress(index + 1, days);
    }
    return report;
  }

  /**
   * Export all tickets as CSV. Returns a link that this user can open for five minutes, signed in on the pages of the desk. A
   * program fetches it with its token.
   */
  @McpTool({ name: 'export_tickets', annotations: read })
  exportTickets(ctx: ToolContext): [TextContent, ResourceLink] {
    const { uri } = ctx.transfers!.download('tickets');
    return [
      text('The link works for five minutes, and for you alone.'),
      resourceLink({ uri, name: 'tickets.csv', mimeType: 'text/csv', description: 'All tickets as CSV' }),
    ];
  }

  /**
   * Draw how many tickets were opened and closed each day. Returns an image (SVG) and the figures.
   * @param days how many days
   */
  @McpTool({ name: 'chart_tickets', annotations: read })
  async chartTickets(
    ctx: ToolContext,
    /** @minimum 2 @maximum 90 */ days: integer = 14,
  ): Promise<[ImageContent, TextContent]> {
    const counts = await this.store.countByDay(callerOf(ctx), days);
    return [
      image(Buffer.from(drawChart(counts)), 'image/svg+xml'),
      text(counts.map(({ day, opened, closed }) => `${day}: ${opened} opened, ${closed} closed`).join('\n')),
    ];
  }
}
