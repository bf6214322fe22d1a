import { MaxOutput, McpService, McpTool, ToolContext } from '@toolwright/core';
import type { DatabaseTable, ListRows, RowPage } from '@toolwright/tables';
import { WorkshopDatabase } from './database.js';

const lateRepairTable: DatabaseTable = {
  schema: 'public',
  name: 'late_repairs',
  columns: {
    id: 'bigint',
    frame_number: 'text',
    fault: 'character varying',
    due: 'date',
  },
};

/** A row of late_repairs. */
export interface LateRepair {
  id: string | null;
  frame_number: string | null;
  fault: string | null;
  due: string | null;
}

type LateRepairColumn = 'id' | 'frame_number' | 'fault' | 'due';

@McpService({ origin: 'Workshop', category: 'late_repairs' })
export class LateRepairTools {
  constructor(private readonly database: WorkshopDatabase) {}

  /** List rows of the view late_repairs, in pages. */
  @McpTool({ name: 'list_late_repairs', annotations: { readOnlyHint: true, openWorldHint: false } })
  @MaxOutput({ tokens: 10_000 })
  async listLateRepairs(query: ListRows<LateRepairColumn>, ctx: ToolContext): Promise<RowPage<LateRepair>> {
    return this.database.list(lateRepairTable, query, ctx);
  }
}
