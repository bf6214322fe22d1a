import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { freePort } from '../../../.ci/test/support/free-port.js';
import { call } from './support/wire.js';

/** After this time, the last node of the cluster has heard that a pod goes. */
const HEARD_MS = 700;

class Pod {
  private constructor(
    readonly port: number,
    readonly child: ChildProcess,
  ) {}

  static async start(kind: string, drainDelay: string): Promise<Pod> {
    const port = await freePort();
    const program = join(__dirname, 'support/served-app.cjs');
    const args = [program, kind, String(port), '', drainDelay];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout!, 'data');
    return new Pod(port, child);
  }
}

/**
 * A Service, as the nodes of Kubernetes see it: each new connection goes to one of the endpoints in turn, whatever
 * happens to it there, and stays with it. Nobody asks a pod whether it is well, or tries another one.
 */
class Service {
  readonly endpoints: Pod[] = [];
  readonly #server: Server;
  #turn = 0;

  constructor() {
    this.#server = createServer((from) => {
      const to = connect(this.endpoints[this.#turn++ % this.endpoints.length]!.port, '127.0.0.1');
      from.on('error', () => to.destroy());
      to.on('error', () => from.resetAndDestroy());
      from.pipe(to).pipe(from);
    }).listen(0, '127.0.0.1');
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** What Kubernetes does at the same time: the hook and then the signal, and the news for all nodes. */
  async replace(gone: Pod, by: Pod, preStopMs: number): Promise<number | null> {
    this.endpoints.push(by);
    const ended = once(gone.child, 'exit');
    const heard = delay(HEARD_MS).then(() => this.endpoints.splice(this.endpoints.indexOf(gone), 1));
    await delay(preStopMs);
    gone.child.kill('SIGTERM');
    await Promise.all([heard, ended]);
    return gone.child.exitCode;
  }

  stop(): void {
    this.#server.close();
    for (const { child } of this.endpoints) child.kill('SIGKILL');
  }
}

/** Calls until it is told to stop, on one connection that it keeps. */
class Caller {
  readonly failures: string[] = [];
  answered = 0;
  isOver = false;
  readonly over: Promise<void>;

  constructor(
    private readonly port: number,
    private readonly pauseMs: number,
  ) {
    this.over = this.#callAll();
  }

  async #callAll(): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!this.isOver) {
      const failure = await this.#call(agent).catch(String);
      if (failure === undefined) this.answered++;
      else this.failures.push(failure);
      await delay(this.pauseMs);
    }
    agent.destroy();
  }

  async #call(agent: Agent): Promise<string | undefined> {
    const { headers, body } = call('answer', {});
    const options = { port: this.port, host: '127.0.0.1', path: '/mcp', method: 'POST', agent };
    const sent = request({
      ...options,
      headers: { 'content-type': 'application/json', ...headers } as Record<string, string>,
    });
    sent.end(JSON.stringify(body));
    const [answer] = (await once(sent, 'response')) as [AsyncIterable<Buffer> & { statusCode: number }];
    let text = '';
    for await (const chunk of answer) text += String(chunk);
    return answer.statusCode === 200 && text.includes('"done"') ? undefined : `${answer.statusCode} ${text}`;
  }
}

it.each([
  ['a server without a hook', 'http', '2s', 0],
  ['an app without a hook', 'drain', '2s', 0],
  ['a server behind a preStop that sleeps', 'http', '500ms', 1_200],
])(
  'no call fails while all pods are replaced, although nodes go on to send to those that leave: %s',
  async (_, kind, drainDelay, preStopMs) => {
    const service = new Service();
    const start = () => Pod.start(kind, drainDelay);
    service.endpoints.push(...(await Promise.all([start(), start()])));
    const callers = [5, 5, 5, 5, 300, 900].map((pauseMs) => new Caller(service.port, pauseMs));
    const codes = [];
    for (const pod of [...service.endpoints])
      codes.push(await service.replace(pod, await start(), preStopMs));
    for (const caller of callers) caller.isOver = true;
    await Promise.all(callers.map(({ over }) => over));
    service.stop();
    expect(callers.flatMap(({ failures }) => failures)).toEqual([]);
    expect(callers.every(({ answered }) => answered > 2)).toBe(true);
    expect(codes).toEqual([0, 0]);
  },
  60_000,
);

it('a worker of a process manager gives back connections that reach it when it no longer listens', async () => {
  const port = await freePort();
  const folder = temporaryFolder();
  const primary = fork(join(__dirname, 'support/cluster-app.cjs'), [String(port)], {
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
  });
  const [[leaving]] = (await once(primary, 'message')) as [[number, number]];
  primary.send(join(folder, 'go'));
  await once(primary, 'message');
  const clients = [1, 2, 3, 4].map(() => connect(port, '127.0.0.1'));
  await Promise.all(clients.map((client) => once(client, 'connect')));
  const answers = clients.map(async (client) => {
    client.setTimeout(10_000, () => client.destroy(new Error('no answer')));
    client.write('GET /nothing HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n');
    const [data] = (await once(client, 'data')) as [Buffer];
    return data.toString().split('\r\n', 1)[0];
  });
  const closed = once(primary.stdout!, 'data');
  process.kill(leaving, 'SIGINT');
  await closed;
  writeFileSync(join(folder, 'go'), '');
  const answered = await Promise.allSettled(answers);
  // The workers end with their channel.
  primary.kill('SIGKILL');
  const value = 'HTTP/1.1 405 Method Not Allowed';
  expect(answered).toEqual(clients.map(() => ({ status: 'fulfilled', value })));
});
