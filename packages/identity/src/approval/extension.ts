import { randomBytes } from 'node:crypto';
import type { McpServer } from '@toolwright/core';
import type { Extension, ExtensionHost } from '@toolwright/core/extend';
import { parseOptions, wrongOption } from '@toolwright/core/options';
import { MemoryRecordStore } from '@toolwright/core/ports';
import { addressOf, endOf, type PageHandler } from '../pages/question-page.js';
import { identityMetrics } from '../metrics.js';
import { shellOf } from '../pages/page.js';
import { SignIn } from '../pages/sign-in.js';
import { approvalsOptions, approvalsRule, type ApprovalsOptions } from './approval-options.js';
import { ApprovalPage } from './approval-page.js';
import { ApprovalRecords } from './approval-records.js';
import { askForApproval } from './ask-for-approval.js';

const APPROVALS = 'mcp.server.approvals';

/** The page of a server. A symbol of the process, because two copies of this package may be loaded. */
const PAGE = Symbol.for('@toolwright/identity approval page');

/** What the option `approvals` of `createMcpServer` loads. */
export const extension: Extension = {
  name: '@toolwright/identity',
  options: approvalsRule,
  start(host) {
    const given = host.options['approvals'] as ApprovalsOptions | undefined;
    return given ? startApprovals(host, given) : {};
  },
};

function startApprovals(host: ExtensionHost, given: ApprovalsOptions) {
  const { clock, logger, stores } = host;
  const options = parseOptions('approvals', approvalsOptions, given);
  const url = new URL(options.url);
  const secrets = host.secrets ?? [randomBytes(32).toString('hex')];
  if ((stores.bus || stores.leases || stores.sessions) && !stores.records)
    logger.warn(
      { option: 'stores.records' },
      'The processes of this server share stores, but none for records, so a page that another process serves does not know the questions of this one',
    );
  const records = new ApprovalRecords(stores.records ?? new MemoryRecordStore(clock), clock, secrets);
  const { oauth: tokens } = options;
  const purpose = 'approvals';
  const signIn = new SignIn({ ...options, url, tokens, secrets, purpose, clock, logger });
  const page = new ApprovalPage({ url, records, signIn, clock, logger, shell: shellOf(host.server.info) });
  Object.defineProperty(host.server, PAGE, { value: page, configurable: true });
  const [, unit, description] = identityMetrics[APPROVALS];
  const count = host.counter(APPROVALS, { unit, description });
  return {
    approve: askForApproval({
      records,
      clock,
      lifetimeMs: options.lifetime,
      address: (id) => addressOf(url, id),
      count: (outcome) => count({ outcome }),
    }),
  };
}

/**
 * Serves the page on which people approve calls: `app.use(approvalPage(server))` in Express, or the option `pages` of
 * `serveHttp`. It answers requests below the path of `approvals.url`, and leaves all others alone.
 *
 * @throws {ConfigurationError} when the server has no option `approvals`
 */
export function approvalPage(server: McpServer): PageHandler {
  const page = (server as unknown as Record<symbol, ApprovalPage | undefined>)[PAGE];
  if (!page)
    throw wrongOption(
      'approvalPage(server): this server has no page on which people approve calls.',
      'Set the option "approvals" of createMcpServer.',
    );
  return (req, res, next = endOf(res)) => {
    page.answer(req, res).then(
      (isOurs) => (isOurs ? undefined : next()),
      (error: unknown) => next(error),
    );
  };
}
