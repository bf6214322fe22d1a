import { createClient, createCluster } from 'redis';
import type { Clock } from '@toolwright/core/ports';
import type { ApplicationClient, RedisSettings } from '../redis-stores-options.js';
import { ClusterLink, reconnectDelay } from './cluster-link.js';
import type { NodeRedisClient, NodeRedisCluster, RedisLink } from './redis-link.js';
import { SingleLink } from './single-link.js';

/** A connection for commands, and one for the subscription: a subscribed connection takes no commands. */
export interface Links {
  readonly commands: RedisLink;
  readonly subscriber: RedisLink;
}

const CONNECT_MS = 2_000;
/** Much longer than a process waits for the processor on a busy machine. */
const DEAD_MS = 30_000;
const MOST_QUEUED = 10_000;
/** node-redis asks the other nodes five seconds after it lost one. A replica often takes over earlier. */
const ASK_AGAIN_MS = 1_000;

export function makeLinks(settings: RedisSettings, clock: Clock): Links {
  const { url, cluster, client } = settings;
  if (client) return linksOf(client, clock);
  if (cluster) return { commands: toCluster(settings, clock), subscriber: toCluster(settings, clock) };
  const open = () => createClient(clientOptions(url!, settings)) as NodeRedisClient;
  return { commands: SingleLink.own(open), subscriber: SingleLink.own(open) };
}

function linksOf(client: ApplicationClient, clock: Clock): Links {
  if (isCluster(client)) {
    const subscriber = client.duplicate({ minimizeConnections: true }) as NodeRedisCluster;
    return {
      commands: new ClusterLink(client, false, clock),
      subscriber: new ClusterLink(subscriber, true, clock),
    };
  }
  return {
    commands: new SingleLink(client as unknown as NodeRedisClient),
    subscriber: SingleLink.own(() => client.duplicate({ disableOfflineQueue: true }) as NodeRedisClient),
  };
}

function isCluster(client: ApplicationClient): client is ApplicationClient & NodeRedisCluster {
  return 'nodeClient' in client;
}

function toCluster(settings: RedisSettings, clock: Clock): ClusterLink {
  const nodes = settings.cluster!.map((address) => clientOptions(address, settings));
  const { socket, ...defaults } = nodes[0]!;
  const { host: _host, port: _port, ...shared } = socket;
  const cluster = createCluster({
    rootNodes: nodes,
    defaults: { ...defaults, socket: shared as typeof socket },
    topologyRefreshOnReconnectionAttemptStrategy: ASK_AGAIN_MS,
  });
  return new ClusterLink(cluster, true, clock);
}

/**
 * The address is read here, and not by node-redis, because an error of its own repeats the address, with the
 * password.
 */
function clientOptions(address: string, { tls, timeout }: RedisSettings) {
  const { protocol, hostname, port, username, password, pathname } = new URL(address);
  const database = Number(pathname.slice(1));
  return {
    name: 'toolwright',
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
    ...(database > 0 && { database }),
    // Nobody waits for a reconnect: what is sent while Redis is away fails.
    disableOfflineQueue: true,
    commandsQueueMaxLength: MOST_QUEUED,
    maintNotifications: 'disabled' as const,
    // Users without the right to say it would fill the log of refusals that Redis keeps.
    disableClientInfo: true,
    socket: {
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: Number(port || 6379),
      connectTimeout: Math.max(CONNECT_MS, timeout),
      // This is a timer of the event loop, so it would also end good connections of a process that got no processor for so
      // long. `Connection` leaves a dead connection much earlier. Only a cluster, and a login without an answer, wait for it.
      socketTimeout: Math.max(DEAD_MS, 4 * timeout),
      reconnectStrategy: reconnectDelay,
      ...(protocol === 'rediss:' ? { ...tls, tls: true as const } : {}),
    },
  };
}
