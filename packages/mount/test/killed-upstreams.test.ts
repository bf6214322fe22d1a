import { connect, type McpClient } from '@toolwright/client';
import type { McpServer } from '@toolwright/core';
import { type MountedServer, mountServer } from '@toolwright/mount';
import { readdirSync, readFileSync } from 'node:fs';
import { closedAfterEach } from '../../../.ci/test/support/closed-after-each.js';
import { count, size } from '../../../.ci/test/support/proof.js';
import { type KillableKind, KillableUpstream, overStdio } from './support/killable-upstream.js';
import { createGateway } from './support/tools.js';
import { until } from '../../../.ci/test/support/until.js';

/** How often a server is killed in the sample. */
const KILLS = 3 * size;
/** How many calls of each client are in flight. */
const PARALLEL = 4;

/** Where callers share none: one for the lists, one for each client with a session, and one for the client without. */
const SESSIONS = 4;

const open = closedAfterEach();

/** Clients that call without a pause. */
class Load {
  calls = 0;
  readonly failures: unknown[] = [];
  #isOver = false;
  #answered: () => unknown = () => undefined;
  readonly #running: Promise<void>[];

  constructor(clients: readonly McpClient[]) {
    this.#running = clients.flatMap((client) =>
      Array.from({ length: PARALLEL }, (_, index) => this.#run(client, index)),
    );
  }

  /** Resolves when every caller has been answered since. */
  goesOn(): Promise<void> {
    const enough = this.calls + 2 * this.#running.length;
    return new Promise((resolve) => (this.#answered = () => this.calls >= enough && resolve()));
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#running);
  }

  async #run(client: McpClient, index: number): Promise<void> {
    while (!this.#isOver) {
      const text = `${index} ${this.calls}`;
      const answer = await client.call('echo', { text }).catch((error: unknown) => error);
      const [first] = (answer as { content?: { text?: string }[] }).content ?? [];
      if (first?.text !== text) {
        this.failures.push(answer);
        // A call that fails at once must not keep the process from everything else.
        await new Promise(setImmediate);
      }
      this.calls++;
      this.#answered();
    }
  }
}

/** What must not grow with the number of kills. */
interface Held {
  readonly sessions: number;
  readonly processes: number;
  readonly children: number;
  readonly descriptors: number;
}

function held(mount: MountedServer): Held {
  const { sessions, processes } = mount.status();
  return { sessions, processes: processes.length, children: children(), descriptors: descriptors() };
}

function descriptors(): number {
  return process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0;
}

function children(): number {
  if (process.platform !== 'linux') return 0;
  const parents = readdirSync('/proc').map((pid) => {
    if (!/^\d+$/.test(pid)) return undefined;
    try {
      return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
    } catch {
      return undefined;
    }
  });
  return parents.filter((parent) => parent === process.pid).length;
}

/** Each of its sessions is open, and none is being opened again. */
function isWhole(mount: MountedServer): boolean {
  const { sessions, processes, command, isShared } = mount.status();
  const whole = isShared ? 1 : SESSIONS;
  return sessions === whole && (command === undefined || processes.length === whole);
}

interface Behind {
  readonly gateway: McpServer;
  readonly mount: MountedServer;
  /** Kills the server behind, or one of its processes. */
  kill(round: number): Promise<void>;
}

async function mounted(kind: KillableKind): Promise<Behind> {
  const gateway = await createGateway();
  if (kind === 'stdio') {
    open.push(gateway);
    const mount = await mountServer(gateway, 'up', overStdio());
    return {
      gateway,
      mount,
      async kill(round) {
        const { processes } = mount.status();
        const pid = processes[round % processes.length]!;
        process.kill(pid, 'SIGKILL');
        await until(() => !mount.status().processes.includes(pid));
      },
    };
  }
  const upstream = new KillableUpstream(kind);
  await upstream.start();
  open.push(upstream, gateway);
  const mount = await mountServer(gateway, 'up', { url: upstream.url });
  return { gateway, mount, kill: () => upstream.restart() };
}

test.each<KillableKind>(['stdio', 'HTTP with sessions', 'HTTP of 2026-07-28'])(
  'A server that is killed again and again under load costs no client a call, and nothing grows: %s',
  async (kind) => {
    const { gateway, mount, kill } = await mounted(kind);
    const revisions = ['2026-07-28', '2025-11-25', '2025-11-25'] as const;
    const clients = await Promise.all(revisions.map((revision) => connect(gateway, { revision })));
    open.push(...clients);
    const load = new Load(clients);
    // Each process of a server over stdio is killed once before anything is counted.
    for (let round = 0; round < 4; round++) {
      await load.goesOn();
      await kill(round);
    }
    await load.goesOn();
    await until(() => isWhole(mount));
    const before = held(mount);
    const callsBefore = load.calls;

    for (let round = 0; round < KILLS; round++) {
      await kill(round);
      await load.goesOn();
    }
    await until(() => isWhole(mount));
    const after = held(mount);
    await load.stop();

    expect(load.failures).toEqual([]);
    // How many connections are open at one moment depends on the calls in flight.
    const descriptors = Math.min(after.descriptors, before.descriptors + clients.length * PARALLEL);
    expect(after).toEqual({ ...before, descriptors });
    expect(mount.status()).toMatchObject({ state: 'up', failures: 0 });
    count('kills', KILLS);
    count('calls', load.calls - callsBefore);
    count('calls that failed', load.failures.length);
  },
);
