import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../../../.ci/test/support/free-port.js';
import { type Kind, RedisServer } from './redis-server.js';

/** A cluster of a test's own. All its nodes are on this machine. */
export class RedisCluster {
  private constructor(readonly nodes: readonly RedisServer[]) {}

  /**
   * @param replicas how many each of the three masters has
   * @param failsAfter for how many milliseconds a node is silent before the others count it as gone
   */
  static async start(kind: Kind, replicas = 0, failsAfter = 15_000): Promise<RedisCluster> {
    const started = await Promise.allSettled(
      Array.from({ length: 3 * (1 + replicas) }, async () => {
        const bus = ['--cluster-enabled', 'yes', '--cluster-port', String(await freePort())];
        const soon = ['--cluster-node-timeout', String(failsAfter), '--repl-diskless-sync-delay', '0'];
        return RedisServer.startKind(kind, ...bus, ...soon);
      }),
    );
    const cluster = new RedisCluster(
      started.flatMap((node) => (node.status === 'fulfilled' ? [node.value] : [])),
    );
    const failed = started.find((node) => node.status === 'rejected');
    if (failed) {
      await cluster.stop();
      throw failed.reason;
    }
    const addresses = cluster.nodes.map(({ port }) => `127.0.0.1:${port}`);
    const words = [
      '--cluster',
      'create',
      ...addresses,
      '--cluster-replicas',
      String(replicas),
      '--cluster-yes',
    ];
    execFileSync(`${kind}-cli`, words, { stdio: 'ignore' });
    // They agree a moment after they were told, and replicas have the data a moment later.
    await cluster.shows(({ nodes }) =>
      nodes.every((node) => node.cli('CLUSTER', 'INFO').startsWith('cluster_state:ok')),
    );
    const isCopied = (node: RedisServer) => node.cli('INFO', 'replication').includes('master_link_status:up');
    await cluster.shows(({ nodes }) => nodes.filter(isCopied).length === 3 * replicas);
    return cluster;
  }

  get urls(): string[] {
    return this.nodes.map(({ url }) => url);
  }

  async shows(state: (cluster: RedisCluster) => boolean): Promise<void> {
    while (!state(this)) await delay(50);
  }

  /** The node that answers for the key. */
  masterOf(key: string): RedisServer {
    const slot = Number(this.nodes[0]!.cli('CLUSTER', 'KEYSLOT', key));
    const lines = this.nodes[0]!.cli('CLUSTER', 'NODES').split('\n');
    const has = (line: string) =>
      line.includes('master') &&
      line
        .split(' ')
        .slice(8)
        .some((range) => {
          const [from, to = from] = range.split('-').map(Number);
          return from! <= slot && slot <= to!;
        });
    const port = Number(/:(\d+)@/.exec(lines.find(has)!)![1]);
    return this.nodes.find((node) => node.port === port)!;
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.stop()));
  }
}
