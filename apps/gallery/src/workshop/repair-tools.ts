import { Confirm, MaxOutput, McpService, McpTool, ToolContext } from '@toolwright/core';
import { type DatabaseTable, type ListRows, type RowPage, rowQuestion } from '@toolwright/tables';
import { WorkshopDatabase } from './database.js';

const repairTable: DatabaseTable = {
  schema: 'public',
  name: 'repairs',
  key: ['id'],
  columns: {
    id: 'bigint',
    frame_number: 'text',
    fault: 'character varying',
    state: 'public.repair_state',
    price: 'numeric',
    due: 'date',
    parts: 'text[]',
  },
};

/** A row of repairs. */
export interface Repair {
  id: string;
  /** See get_bicycle */
  frame_number: string;
  fault: string;
  state: 'waiting' | 'in progress' | 'done';
  /** In euros */
  price: string | null;
  due: string | null;
  parts: (string | null)[] | null;
}

type RepairColumn = 'id' | 'frame_number' | 'fault' | 'state' | 'price' | 'due' | 'parts';

/** What names a row of repairs. */
export interface RepairKey {
  id: bigint;
}

/** A new row of repairs. */
export interface NewRepair {
  /** See get_bicycle */
  frame_number: string;
  /** @maxLength 200 */
  fault: string;
  state?: 'waiting' | 'in progress' | 'done';
  /** In euros */
  price?: string | number | null;
  /** @format date */
  due?: string | null;
  parts?: (string | null)[];
}

/** What to change in a row of repairs. A column that is not given stays. */
export interface RepairChange extends RepairKey {
  /** See get_bicycle */
  frame_number?: string;
  /** @maxLength 200 */
  fault?: string;
  state?: 'waiting' | 'in progress' | 'done';
  /** In euros */
  price?: string | number | null;
  /** @format date */
  due?: string | null;
  parts?: (string | null)[];
}

/** What is to be repaired, and what was. */
@McpService({ origin: 'Workshop', category: 'repairs' })
export class RepairTools {
  constructor(private readonly database: WorkshopDatabase) {}

  /** List rows of repairs, in pages. What is to be repaired, and what was. */
  @McpTool({ name: 'list_repairs', annotations: { readOnlyHint: true, openWorldHint: false } })
  @MaxOutput({ tokens: 10_000 })
  async listRepairs(query: ListRows<RepairColumn>, ctx: ToolContext): Promise<RowPage<Repair>> {
    return this.database.list(repairTable, query, ctx);
  }

  /** Get the row of repairs with a key. What is to be repaired, and what was. */
  @McpTool({ name: 'get_repair', annotations: { readOnlyHint: true, openWorldHint: false } })
  @MaxOutput({ tokens: 10_000 })
  async getRepair(key: RepairKey, ctx: ToolContext): Promise<Repair> {
    return this.database.get(repairTable, key, ctx);
  }

  /** Add a row to repairs. Returns it as it is then. */
  @McpTool({ name: 'insert_repair', annotations: { destructiveHint: false, openWorldHint: false } })
  async insertRepair(row: NewRepair, ctx: ToolContext): Promise<Repair> {
    return this.database.insert(repairTable, row, ctx);
  }

  /** Change columns of a row of repairs. Returns it as it is then. */
  @McpTool({
    name: 'update_repair',
    annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },
  })
  @Confirm((change: RepairChange) => rowQuestion('Change repair', repairTable, change))
  async updateRepair(change: RepairChange, ctx: ToolContext): Promise<Repair> {
    return this.database.update(repairTable, change, ctx);
  }

  /** Delete a row of repairs for good. */
  @McpTool({
    name: 'delete_repair',
    annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },
  })
  @Confirm((key: RepairKey) => rowQuestion('Delete repair', repairTable, key))
  async deleteRepair(key: RepairKey, ctx: ToolContext): Promise<void> {
    return this.database.delete(repairTable, key, ctx);
  }
}
