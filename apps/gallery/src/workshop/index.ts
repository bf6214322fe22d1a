import { WorkshopDatabase } from './database.js';
import { BicycleTools } from './bicycle-tools.js';
import { LateRepairTools } from './late-repair-tools.js';
import { RepairTools } from './repair-tools.js';

/** The tools of the database, for `services` of `createMcpServer`. */
export const services = [BicycleTools, LateRepairTools, RepairTools];

/** What the services need, for `providers`. */
export const providers = [{ provide: WorkshopDatabase, useFactory: () => new WorkshopDatabase() }];
