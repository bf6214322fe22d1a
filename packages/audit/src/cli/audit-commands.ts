import { anchorCommand } from './anchor-command.js';
import type { AuditCommand } from './audit-command.js';
import { exportCommand } from './export-command.js';
import { queryCommand } from './query-command.js';
import { tailCommand } from './tail-command.js';
import { verifyCommand } from './verify-command.js';

/** The sub-commands of `toolwright audit`. Each takes the log's file as its argument. */
export const auditCommands: readonly AuditCommand[] = [
  verifyCommand,
  queryCommand,
  exportCommand,
  tailCommand,
  anchorCommand,
];
