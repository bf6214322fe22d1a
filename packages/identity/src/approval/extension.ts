import { sealingSecrets } from '@toolwright/json';
import { Confirm, type McpServer } from '@toolwright/core';
import type { Extension, ExtensionHost } from '@toolwright/core/extend';
import { parseOptions, wrongOption } from '@toolwright/core/options';
import { MemoryRecordStore } from '@toolwright/core/ports';
import { addressOf, endOf, type PageHandler } from '../pages/question-page.js';
import { identityMetrics } from '../metrics.js';
import { shellOf } from '../pages/page.js';
import { SignIn } from '../pages/sign-in.js';
import { ApprovalHistory, type NamedQuestion } from './approval-history.js';
import {
  approvalsOptions,
  approvalsRule,
  type ApprovalsOptions,
  type WaitingApproval,
} from './approval-options.js';
import { ApprovalPage } from './approval-page.js';
import { ApprovalRecords } from './approval-records.js';
import { askForApproval, endInTime } from './ask-for-approval.js';
import { DelegatesForm } from './delegates-form.js';
import { Delegations } from './delegations.js';
import { NotifyPeople } from './notify-people.js';

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
  const secrets = sealingSecrets(host);
  if ((stores.bus || stores.leases || stores.sessions) && !stores.records)
    logger.warn(
      { option: 'stores.records' },
      'The processes of this server share stores, but none for records, so a page that another process serves does not know the questions of this one',
    );
  const store = stores.records ?? new MemoryRecordStore(clock);
  const records = new ApprovalRecords(store, clock, secrets);
  const history = new ApprovalHistory(host);
  const { oauth: tokens } = options;
  const purpose = 'approvals';
  const signIn = new SignIn({ ...options, url, tokens, secrets, purpose, clock, logger });
  const scopes = () => approverScopes(host.server);
  const { delegation: longestMs, notify } = options;
  const delegations = longestMs === undefined ? undefined : new Delegations(store, clock, secrets);
  const delegates =
    delegations &&
    new DelegatesForm({ url, delegations, signIn, clock, history, longestMs: longestMs!, scopes });
  const page = new ApprovalPage({
    url,
    records,
    delegations,
    delegates,
    signIn,
    clock,
    logger,
    history,
    shell: shellOf(host.server.info),
    scopes,
  });
  Object.defineProperty(host.server, PAGE, { value: page, configurable: true });
  const [, unit, description] = identityMetrics[APPROVALS];
  const count = host.counter(APPROVALS, { unit, description });
  const notifying = notify && new NotifyPeople({ notify, clock, logger });
  const endings = new Set<() => void>();
  const opened = (question: NamedQuestion) => {
    const { id } = question;
    history.write('opened', question);
    // The client may be gone by then, and nobody else looks.
    const stop = clock.after(options.lifetime, () => {
      endings.delete(stop);
      endInTime({ records, history }, id).catch((err: unknown) =>
        logger.warn({ err }, 'Nobody could look whether an approval has ended'),
      );
    });
    endings.add(stop);
    notifying?.send({
      waiting: waitingOf(question, url),
      isOver: () => records.isOver(id),
      gaveUp: () => history.write('not notified', question),
    });
  };
  return {
    approve: askForApproval({
      records,
      clock,
      lifetimeMs: options.lifetime,
      address: (id) => addressOf(url, id),
      count: (outcome) => count({ outcome }),
      history,
      opened,
    }),
    close() {
      for (const stop of endings) stop();
      notifying?.close();
    },
  };
}

/** The scopes of all approvers of a server, so that a person who has signed in sees all that waits for them. */
function approverScopes({ tools, prompts, resources, resourceTemplates }: McpServer): string[] {
  const rules = [tools, prompts, resources, resourceTemplates].flatMap((operations) =>
    operations.list({ unlisted: true }).map((operation) => Confirm.of(operation)?.options.approver?.scope),
  );
  return [...new Set(rules.filter((scope) => scope !== undefined))];
}

function waitingOf({ id, record }: NamedQuestion, url: URL): WaitingApproval {
  const { message, operation, shown, caller, client, rule, opened, expires } = record;
  return {
    url: addressOf(url, id),
    inbox: url.href,
    message,
    operation,
    arguments: shown,
    caller,
    ...(client !== undefined && { client }),
    approver: rule,
    opened,
    expires,
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
    void page.answer(req, res).then((isOurs) => (isOurs ? undefined : next()));
  };
}
