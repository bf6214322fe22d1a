import type { IncomingMessage, ServerResponse } from 'node:http';
import type { McpServer } from '@toolwright/core';
import { type OptionRule, optionRules, parseOptions, type OptionSchema } from '@toolwright/core/options';
import { isLoopbackHost } from '@toolwright/json';
import { type MountedAccess, accessRule, hubOfServers } from '../hub/hub-of-servers.js';
import type { AuditLogs } from '../inside/part.js';
import { ConsoleHandler } from './console-handler.js';
import { type RequestFacts, type RequestRefusal, findRefusal, guard, refuse, refusePage } from './respond.js';

/** How long a stream of events lasts. Its page then opens a new one, and `authorize` is asked again. */
const MAX_STREAM_MS = 300_000;

/** Whether somebody may see the console, and who that is. Without a name, changes are recorded for the user of the process. */
export type Admission = boolean | { readonly name: string };

export interface ConsoleExpressOptions<Req extends IncomingMessage = IncomingMessage> {
  /**
   * Decides who may see the console. It returns false, true, or the name of the person: the audit log records the name
   * with all that this person changes. It is called for every request, and every five minutes while a page is open. The
   * console shows what all callers do, so this is for operators only.
   */
  readonly authorize: (req: Req) => Admission | Promise<Admission>;
  /**
   * `read` shows. `call` also calls tools, as any caller that the person chooses. `change` also ends sessions, cancels
   * calls, and resets limits. Default: `['read']`.
   */
  readonly access?: readonly MountedAccess[];
  /**
   * The authority by which browsers reach the application, such as `admin.example.com`. Without it, the console answers
   * only under the names of this machine (`localhost`, `127.0.0.1`, `[::1]`), with any port.
   */
  readonly host?: string;
  /**
   * What the panes Audit and Usage read: the logs of all replicas, as `queryAudit` takes them: files, patterns such as
   * `logs/*\/audit.jsonl`, and the table of `auditTable`. Default: the log of this process.
   */
  readonly auditLogs?: AuditLogs;
}

const { callback, filledText, required } = optionRules;

/** `@toolwright/audit` checks the rest when a pane reads them. */
const anyLogs: OptionRule = {
  expected: 'the file of a log, or a list of files and tables',
  accepts: (value) => [value].flat().length > 0 && [value].flat().every(isLog),
};

const isLog = (value: unknown) =>
  (typeof value === 'string' && value !== '') || (typeof value === 'object' && value !== null);

const consoleExpressOptions = {
  authorize: required(callback),
  access: accessRule,
  host: filledText,
  auditLogs: anyLogs,
} satisfies OptionSchema<ConsoleExpressOptions>;

type Next = (error?: unknown) => void;

/** A handler for Express, Connect, and others that call handlers in this way. */
export type ConsoleRequestHandler<Req extends IncomingMessage = IncomingMessage> = (
  req: Req,
  res: ServerResponse,
  next?: Next,
) => void;

/**
 * The console of servers that run in this application, for its operators. Mount it below a path, behind the
 * application's own guard for administrators. By default it only shows. Calls and messages are recorded only while
 * somebody looks, and are forgotten afterwards; otherwise the console costs nothing.
 *
 * @throws {ConfigurationError} without `authorize`, and for other options that are wrong
 * @example
 * app.use('/admin/console', consoleExpress(server, { authorize: (req) => req.session.isAdmin === true }));
 */
export function consoleExpress<Req extends IncomingMessage = IncomingMessage>(
  servers: McpServer | readonly McpServer[],
  given: ConsoleExpressOptions<Req>,
): ConsoleRequestHandler<Req> {
  const options = parseOptions(
    'consoleExpress',
    consoleExpressOptions,
    (given ?? {}) as ConsoleExpressOptions,
  );
  const handler = new ConsoleHandler({
    hub: hubOfServers(servers, options.access, options.auditLogs),
    maxStreamMs: MAX_STREAM_MS,
  });
  const { authorize, host: named } = options;

  const admit = async (req: IncomingMessage, res: ServerResponse) => {
    guard(res);
    const refusal =
      findHostRefusal(req, named) ?? findRefusal(asNamed(req, named), named ?? req.headers.host!);
    if (refusal) return refusePage({ req, res }, refusal);
    const admission = await authorize(req);
    if (!isAdmitted(admission))
      return refusePage(
        { req, res },
        { status: 403, message: 'You may not see this console.', advice: ADVICE },
      );
    const by = admission === true ? undefined : admission.name;
    await handler.handle({ ...placeOf(req), req, res, by });
  };
  return (req, res, next) => {
    admit(req, res).catch((error: unknown) =>
      next ? next(error) : refuse(res, 500, 'The console has failed.'),
    );
  };
}

const ADVICE = ['Sign in to the application as somebody who may see it, and open this address again.'];

/**
 * A page can point a name of its own at this machine (DNS rebinding). Without a named host, only the names of this
 * machine are safe from that. With one, a proxy may send another Host; then the browser has to say from which page the
 * request comes. It says so to every page over https, and a name that somebody points here has no certificate.
 */
function findHostRefusal(
  { headers }: IncomingMessage,
  named: string | undefined,
): RequestRefusal | undefined {
  const { host = '', origin, 'sec-fetch-site': site } = headers;
  if (named === undefined && !isLoopbackHost(host))
    return {
      status: 421,
      message: 'The console does not answer under this name. Set the option "host" of consoleExpress to it.',
    };
  if (named !== undefined && host !== named && origin === undefined && site === undefined)
    return { status: 421, message: 'The console does not answer under this name.' };
  return undefined;
}

/** A request, with the host that its page has. */
function asNamed({ method, headers, rawHeaders }: IncomingMessage, named: string | undefined): RequestFacts {
  return { method, rawHeaders, headers: named === undefined ? headers : { ...headers, host: named } };
}

/** Nobody gets in by mistake: not with an empty name, and not with another value that counts as true. */
function isAdmitted(admission: unknown): admission is true | { readonly name: string } {
  if (typeof admission !== 'object' || admission === null) return admission === true;
  const { name } = admission as { name?: unknown };
  return typeof name === 'string' && name.trim() !== '';
}

/** Express takes the path of the mount off the URL, and keeps it in `baseUrl`; Connect keeps the whole URL. */
function placeOf(req: IncomingMessage & { baseUrl?: string; originalUrl?: string }): {
  path: string;
  base: string;
} {
  const url = req.url ?? '/';
  const [pathname = '/'] = url.split(/[?#]/, 1);
  const whole = req.originalUrl;
  const base = req.baseUrl ?? (whole?.endsWith(url) ? whole.slice(0, whole.length - url.length) : '');
  return { path: pathname, base };
}
