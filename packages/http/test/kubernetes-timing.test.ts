import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
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
