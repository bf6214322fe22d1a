import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { McpServer } from '@toolwright/core';
import { optionRules } from '@toolwright/core/options';
import type { Access } from '../api/overview-api.js';
import { Inside } from '../inside/inside.js';
import type { AuditLogs } from '../inside/part.js';
import { Hub } from './hub.js';

/** What a console of servers may do. There is no project to look at. */
export type MountedAccess = Exclude<Access, 'project'>;

const { listOf, oneOf } = optionRules;

/** The rule of the option `access`. */
export const accessRule = {
  ...listOf('a list of "read", "call" and "change"', oneOf('read', 'call', 'change')),
  default: ['read' as const],
};

/** How long records are kept after the last page has gone: a page in a hidden tab lets go of its stream. */
const KEPT_UNSEEN_MS = 300_000;

/** The middle of a console of servers in this process. It records only while somebody looks. */
export function hubOfServers(
  servers: McpServer | readonly McpServer[],
  access: readonly MountedAccess[],
  auditLogs?: AuditLogs,
): Hub {
  const inside = new Inside((event) => hub.hear(event), auditLogs);
  for (const server of [servers].flat() as McpServer[]) inside.add(server);
  const allowed = [...new Set<MountedAccess>(['read', ...access])];
  let unseen: NodeJS.Timeout | undefined;
  const hub: Hub = new Hub({
    access: allowed,
    askInside: (method, params, by) => inside.ask(method, params, by),
    overview: () => ({
      servers: inside.summaries(),
      access: allowed,
      app: 'running',
      toolwright: readVersion(),
    }),
    watched: (isWatched) => {
      clearTimeout(unseen);
      if (isWatched) return inside.watch();
      unseen = setTimeout(() => {
        inside.rest();
        void hub.recordings.api.clearRecords({});
      }, KEPT_UNSEEN_MS).unref();
    },
  });
  return hub;
}

/** Read once: a file that changes while the process runs says nothing about the code that runs. */
let version: string | undefined;

function readVersion(): string {
  const file = join(__dirname, '../../package.json');
  return (version ??= (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version);
}
