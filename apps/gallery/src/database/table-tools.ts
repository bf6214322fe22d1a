import { ConfigurationError, type McpServer } from '@toolwright/core';
import type { ToolDefinition } from '@toolwright/core/operate';
import type { Logger } from '@toolwright/core/ports';
import type { Database } from './database.js';
import { readTables, type Table } from './table.js';
import { tableTool } from './table-tool.js';

/** Keeps the tools of a server in step with the tables of a database: one for each. */
export class TableTools {
  /** The names of the tools, and the tables they were made of. */
  private readonly offered = new Map<string, string>();
  private turn: Promise<void> = Promise.resolve();

  constructor(
    private readonly server: Pick<McpServer, 'tools'>,
    private readonly database: Database,
    private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  /** Offers a tool for each table, from now on. */
  async start(): Promise<void> {
    await this.database.onTablesChanged(() => void this.sync());
    await this.sync();
  }

  /** One after the other: two at a time would both add what both find missing. */
  private sync(): Promise<void> {
    this.turn = this.turn
      .then(() => this.offer())
      .catch((err: unknown) => this.logger.warn({ err }, 'No tables'));
    return this.turn;
  }

  private async offer(): Promise<void> {
    const tables = nameTools(await readTables(this.database));
    for (const name of [...this.offered.keys()].filter((each) => !tables.has(each))) {
      this.server.tools.remove(name);
      this.offered.delete(name);
    }
    for (const [name, table] of tables) {
      const description = JSON.stringify(table);
      if (this.offered.get(name) === description) continue;
      this.offered.set(name, description);
      this.publish(tableTool(name, table, this.database));
    }
  }

  private publish(tool: ToolDefinition): void {
    const { tools } = this.server;
    try {
      if (!tools.update(tool.name, tool)) tools.add(tool);
    } catch (error) {
      // Names come from outside: one with hidden characters is refused, and must not cost the others.
      if (!(error instanceof ConfigurationError)) throw error;
      tools.remove(tool.name);
      this.logger.warn({ err: error }, 'A table is not offered');
    }
  }
}

/** A tool's name has other letters than a table's; two tables may end up with the same one. */
function nameTools(tables: readonly Table[]): Map<string, Table> {
  const named = new Map<string, Table>();
  for (const table of tables) {
    const base = `query_${table.name.replace(/[^A-Za-z0-9_.-]/g, '_')}`.slice(0, 56);
    let name = base;
    for (let copy = 2; named.has(name); copy += 1) name = `${base}_${copy}`;
    named.set(name, table);
  }
  return named;
}
