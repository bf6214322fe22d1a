import type { FormerOptions } from '../../base/options/option-schema.js';

/**
 * Options of `createMcpServer` that earlier releases called otherwise. A server that sets one does not start, and the
 * problem names the option of today. docs/upgrading.md lists the same names; a test holds the two together.
 */
export const formerOptions: FormerOptions = {
  legacy: 'stateful',
  "output.undeclared: 'allow'": "output.undeclared: 'keep'",
  title: 'about.title',
  description: 'about.description',
  icons: 'about.icons',
  websiteUrl: 'about.websiteUrl',
  manifestHash: 'manifest.hash',
  clock: 'ports.clock',
  ids: 'ports.ids',
  instanceId: 'ports.instanceId',
  pageSize: 'lists.pageSize',
  listTtlMs: 'lists.ttl',
  clientSafe: 'lists.clientSafe',
  maxSubscriptions: 'subscriptions.max',
  maxSubscriptionsPerPrincipal: 'subscriptions.maxPerPrincipal',
  maxAnonymousSubscriptions: 'subscriptions.maxAnonymous',
  validation: 'input.validation',
  coerce: 'input.coerce',
  abandonedWork: 'concurrency.abandonedWork',
  bus: 'stores.bus',
  'rateLimit.limiter': 'stores.rateLimiter',
  'requestState.claims': 'stores.claims',
  'requestState.secrets': 'secrets',
  'sessions.secrets': 'secrets',
  'tasks.secrets': 'secrets',
  'sessions.events: false': 'sessions.resumable: false',
  'sessions.events': 'stores.events',
  'sessions.records': 'stores.sessions',
  'tasks.store': 'stores.tasks',
  'tasks.queue': 'stores.tasks',
  'requestState.ttlMs': 'requestState.lifetime',
  'sessions.answerMs': 'sessions.answerTimeout',
  'tasks.unservedMs': 'tasks.unservedTimeout',
};
