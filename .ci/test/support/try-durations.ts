import { createServer } from 'node:http';
import { Cache, createMcpServer, type McpServer, RateLimit, Timeout } from '@toolwright/core';
import { serveTasks } from '@toolwright/core/operate';
import { parseOptions } from '@toolwright/core/options';
import { MemoryRecordStore, silentLogger, systemClock } from '@toolwright/core/ports';
import { tailAudit } from '@toolwright/audit';
import { drainOnSignal, mcpHttp, oauthResourceServer, serveHttp } from '@toolwright/http';
import { serveTransfers } from '../../../packages/http/src/transfers.js';
import { runWorkers } from '../../../packages/http/src/workers.js';
import { apiKeys, dpopProofs, openTokenExchange, tokenIntrospection } from '@toolwright/identity';
import { externalDecision } from '@toolwright/identity/decisions';
import { diagnoseSignIn } from '@toolwright/identity/doctor';
import { mountServer } from '@toolwright/mount';
import { ApiClient } from '@toolwright/openapi';
import { bridgeNotifications, postgresStores } from '@toolwright/postgres';
import { redisStores } from '@toolwright/redis';
import { runCommand, safeFetch } from '@toolwright/safe';
import { TableDatabase } from '@toolwright/tables';
import { serveStdio } from '@toolwright/stdio';
import { migrateTasks, postgresTasks } from '@toolwright/tasks';
import { parseFastifyOptions } from '../../../packages/fastify/src/options.js';
import { approvalsRule } from '../../../packages/identity/src/approval/approval-options.js';
import { readProxyOptions } from '../../../packages/identity/src/proxy/proxy-options.js';
import { resolveModuleOptions } from '../../../packages/nest/src/options.js';
import { scheduledOptions } from '../../../packages/schedules/src/schedule-options.js';
import { codeModeOption } from '../../../packages/code/src/code-options.js';
import { skillsOption } from '../../../packages/skills/src/skill-options.js';

const served = (): Promise<McpServer> =>
  createMcpServer({ name: 'durations', version: '1.0.0', services: [], audit: false, logger: silentLogger });

/** Gives options to what reads them. With an option that does not exist nothing begins: all problems are named, and that is all. */
type Try = (value: unknown) => unknown;
const tried =
  (read: (options: any) => unknown, option: string, inside?: string): Try =>
  (value) => {
    const own = { [option]: value, isUnknown: true };
    return read(inside === undefined ? own : { [inside]: own, isUnknown: true });
  };

const boot = (options: object) => createMcpServer({ name: 'durations', version: '1.0.0', ...options });
const withFile = (part: object) => boot({ audit: { file: 'audit.jsonl', ...part }, isUnknown: true });
const handler = () => 'done';
const secrets = ['0123456789abcdef0123456789abcdef'];
const keys = () => apiKeys({ records: new MemoryRecordStore(systemClock), secrets });
/** Nothing begins at it, so all may have the same. */
let shared: Promise<McpServer> | undefined;
const ofServer =
  (serve: (server: McpServer, options: any) => unknown) =>
  async (options: unknown): Promise<void> =>
    void (await serve(await (shared ??= served()), options));

/** Ends what the options were given to. */
export const closeTried = async (): Promise<void> => (await shared)?.close(0);

let added = 0;
const nextName = () => `a${(added += 1)}`;
/** A policy reads its options when a tool gets it. */
const guarded = ofServer((server, entry) =>
  server.tools.add({
    name: nextName(),
    description: 'A.',
    annotations: { readOnlyHint: true },
    handler,
    policies: [entry],
  }),
);
const http = ofServer((server, options) => serveHttp(server, { port: 0, ...options }));
const drained = ofServer((server, options) => drainOnSignal(server, createServer(), options));
const stopped = (name: 'drain' | 'close') => async (value: unknown) => {
  const server = await served();
  await server[name](value as number).finally(() => server.protocol.drain(0));
};
const grants = (options: any) => openTokenExchange({}, { options, tokens: {} as never });
const rule = (options: any) => openTokenExchange({ 'https://api.example': options });

/** Each option of `durationOptions`, with a way to set it. */
export const tries: Readonly<Record<string, Try>> = {
  'audit TailOptions.pollInterval': tried(
    (o) => tailAudit({ file: 'audit.jsonl', ...o }).next(),
    'pollInterval',
  ),

  'code CodeModeOptions.time': tried((o) => parseOptions('server', codeModeOption, o), 'time', 'codeMode'),
  'core AuditFileOptions.linger': (linger) => withFile({ linger }),
  'core AuditFileOptions.strictTimeout': (strictTimeout) => withFile({ strictTimeout }),
  'core AuditRetention.maxAge': (maxAge) => withFile({ retain: { maxAge } }),
  'core AuditRotation.maxAge': (maxAge) => withFile({ rotate: { maxAge } }),
  'core CacheOptions.ttl': tried((o) => guarded(Cache.entry(o)), 'ttl'),
  'core ListOptions.ttl': tried(boot, 'ttl', 'lists'),
  'core McpServer.grace': stopped('close'),
  'core PipelineOptions.timeout': tried(boot, 'timeout'),
  'core Protocol.grace': stopped('drain'),
  'core RateLimitOptions.per': tried((o) => guarded(RateLimit.entry({ points: 1, ...o })), 'per'),
  'core ExchangeRule.timeout': tried(rule, 'timeout'),
  'core GrantsOptions.keep': tried(grants, 'keep'),
  // The same for approvals.
  'identity ApprovalsOptions.delegation': tried(
    (o) => parseOptions('server', approvalsRule, o),
    'delegation',
    'approvals',
  ),
  'core SignInPageOptions.lifetime': tried(grants, 'lifetime'),
  'core RequestStateOptions.lifetime': tried(boot, 'lifetime', 'requestState'),
  'core ResourceCaching.ttl': (ttl) =>
    ofServer((server, cache) =>
      server.resources.add({ uri: 'text://a', name: 'a', handler, cache, isUnknown: true } as never),
    )({ ttl }),
  'core ServerRateLimit.per': tried(boot, 'per', 'rateLimit'),
  'core ServeTasksOptions.grace': tried(ofServer(serveTasks), 'grace'),
  'core SessionOptions.answerTimeout': tried(boot, 'answerTimeout', 'sessions'),
  'core SessionOptions.idle': tried(boot, 'idle', 'sessions'),
  'core SessionOptions.lifetime': tried(boot, 'lifetime', 'sessions'),
  'core SessionOptions.pollAfter': tried(boot, 'pollAfter', 'sessions'),
  'core TaskOptions.pollInterval': tried(boot, 'pollInterval', 'tasks'),
  'core TaskOptions.ttl': tried(boot, 'ttl', 'tasks'),
  'core TaskOptions.unservedTimeout': tried(boot, 'unservedTimeout', 'tasks'),
  'core Timeout.duration': (value) => guarded(Timeout.entry(value as number)),
  'core StoreBounds.eventTtl': tried(redisStores, 'eventTtl'),
  'core StoreBounds.lease': tried(redisStores, 'lease'),
  'core StoreBounds.patience': tried(redisStores, 'patience'),
  'core ToolTask.backoff': (backoff) =>
    ofServer((server, task) =>
      server.tools.add({ name: nextName(), description: 'A.', handler, task } as never),
    )({
      mode: 'optional',
      backoff,
    }),

  'fastify McpFastifyOptions.grace': tried((o) => parseFastifyOptions(o), 'grace'),
  'nest McpModuleOptions.grace': (grace) =>
    resolveModuleOptions({ grace, http: { isUnknown: true } } as never),

  'http DrainOnSignalOptions.drainDelay': tried(drained, 'drainDelay'),
  'http DrainOnSignalOptions.grace': tried(drained, 'grace'),
  'http EndpointOptions.keepAlive': tried(ofServer(mcpHttp), 'keepAlive'),
  'http OAuthResourceServerOptions.clockTolerance': tried(oauthResourceServer, 'clockTolerance'),
  'http OAuthResourceServerOptions.keysMaxAge': tried(oauthResourceServer, 'keysMaxAge'),
  'http RunWorkersOptions.stopTimeout': tried((o) => runWorkers(o, served as never), 'stopTimeout'),
  'http RunWorkersOptions.unresponsiveTimeout': tried(
    (o) => runWorkers(o, served as never),
    'unresponsiveTimeout',
  ),
  'http ServeHttpOptions.drainDelay': tried(http, 'drainDelay'),
  'http ServeHttpOptions.grace': tried(http, 'grace'),
  'http ServeHttpOptions.headersTimeout': tried(http, 'headersTimeout'),
  'http ServeHttpOptions.keepAliveTimeout': tried(http, 'keepAliveTimeout'),
  'http ServeHttpOptions.requestTimeout': tried(http, 'requestTimeout'),
  'http TransferOptions.life': tried(ofServer(serveTransfers), 'life'),

  'identity ApiKeys.grace': tried((o) => keys().rotate('id', o), 'grace'),
  'identity ApiKeysOptions.remember': tried(apiKeys, 'remember'),
  'identity AuthorizationProxyOptions.accessToken': tried(readProxyOptions, 'accessToken', 'lifetimes'),
  'identity AuthorizationProxyOptions.refreshToken': tried(readProxyOptions, 'refreshToken', 'lifetimes'),
  'identity CacheOptions.for': tried(
    (cache) => externalDecision({ decide: () => ({ allow: true }), cache }),
    'for',
  ),
  'identity DiagnoseOptions.timeout': tried((o) => diagnoseSignIn('https://a.example', o), 'timeout'),
  'identity DpopOptions.clockTolerance': tried(dpopProofs, 'clockTolerance'),
  'identity DpopOptions.maxAge': tried(dpopProofs, 'maxAge'),
  'identity ExternalDecisionOptions.timeout': tried(externalDecision, 'timeout'),
  'identity NewKeyOptions.lifetime': tried((o) => keys().create(o), 'lifetime'),
  'identity TokenIntrospectionOptions.remember': tried(tokenIntrospection, 'remember'),
  'identity TokenIntrospectionOptions.rememberRefused': tried(tokenIntrospection, 'rememberRefused'),
  'identity TokenIntrospectionOptions.timeout': tried(tokenIntrospection, 'timeout'),

  'mount MountLimits.answerMs': tried(
    ofServer((server, o) => mountServer(server, 'a', o)),
    'answerMs',
    'limits',
  ),
  'mount MountOptions.connectTimeout': tried(
    ofServer((server, o) => mountServer(server, 'a', o)),
    'connectTimeout',
  ),
  'mount MountOptions.idle': tried(
    ofServer((server, o) => mountServer(server, 'a', o)),
    'idle',
  ),
  'mount MountOptions.timeout': tried(
    ofServer((server, o) => mountServer(server, 'a', o)),
    'timeout',
  ),

  'openapi ApiClientOptions.retryDelay': tried((o) => new ApiClient(o), 'retryDelay'),
  'openapi ApiClientOptions.timeout': tried((o) => new ApiClient(o), 'timeout'),

  'postgres NotificationBridgeOptions.checkInterval': tried(
    (o) => bridgeNotifications({} as never, o),
    'checkInterval',
  ),
  'postgres PostgresConnectionOptions.timeout': tried(postgresStores, 'timeout'),
  'postgres PostgresStoresOptions.checkInterval': tried(postgresStores, 'checkInterval'),
  'tables TableDatabaseOptions.timeout': tried((o) => new TableDatabase(o), 'timeout'),
  'redis RedisStoresOptions.timeout': tried(redisStores, 'timeout'),
  'tasks PostgresTasksOptions.checkInterval': tried(postgresTasks, 'checkInterval'),
  'tasks PostgresTasksOptions.lostAfter': tried(postgresTasks, 'lostAfter'),
  'tasks TaskDatabaseOptions.timeout': tried(migrateTasks, 'timeout'),

  'safe RunCommandOptions.timeout': tried((o) => runCommand('git', [], { allow: {}, ...o }), 'timeout'),
  'safe SafeFetchOptions.timeout': tried((o) => safeFetch('https://a.example', o), 'timeout'),
  'schedules ScheduledOptions.backoff': tried(
    (o) => parseOptions('@Scheduled', scheduledOptions, o),
    'backoff',
  ),
  'schedules ScheduledOptions.catchUp': tried(
    (o) => parseOptions('@Scheduled', scheduledOptions, o),
    'catchUp',
  ),
  'skills SkillsOptions.ttl': tried((o) => parseOptions('server', skillsOption, o), 'ttl', 'skills'),
  'stdio ServeStdioOptions.grace': tried(ofServer(serveStdio), 'grace'),
};
