import { MaxOutput, McpService, McpTool, ToolContext } from '@toolwright/core';
import type { DatabaseTable, ListRows, RowPage } from '@toolwright/tables';
import { WorkshopDatabase } from './database.js';

const bicycleTable: DatabaseTable = {
  schema: 'public',
  name: 'bicycles',
  key: ['frame_number'],
  columns: {
    frame_number: 'text',
    brand: 'text',
    owner: 'text',
    wheel_inches: 'numeric',
  },
};

/** A row of bicycles. */
export interface Bicycle {
  /** As it is stamped below the pedals */
  frame_number: string;
  brand: string;
  owner: string;
  wheel_inches: string | null;
}

type BicycleColumn = 'frame_number' | 'brand' | 'owner' | 'wheel_inches';

/** What names a row of bicycles. */
export interface BicycleKey {
  /** As it is stamped below the pedals */
  frame_number: string;
}

/** The bicycles of our customers. */
@McpService({ origin: 'Workshop', category: 'bicycles' })
export class BicycleTools {
  constructor(private readonly database: WorkshopDatabase) {}

  /** List rows of bicycles, in pages. The bicycles of our customers. */
  @McpTool({ name: 'list_bicycles', annotations: { readOnlyHint: true, openWorldHint: false } })
  @MaxOutput({ tokens: 10_000 })
  async listBicycles(query: ListRows<BicycleColumn>, ctx: ToolContext): Promise<RowPage<Bicycle>> {
    return this.database.list(bicycleTable, query, ctx);
  }

  /** Get the row of bicycles with a key. The bicycles of our customers. */
  @McpTool({ name: 'get_bicycle', annotations: { readOnlyHint: true, openWorldHint: false } })
  @MaxOutput({ tokens: 10_000 })
  async getBicycle(key: BicycleKey, ctx: ToolContext): Promise<Bicycle> {
    return this.database.get(bicycleTable, key, ctx);
  }
}
