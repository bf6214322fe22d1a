import { type Clock, type Logger, monotonic } from '@toolwright/core/ports';
import cluster, { type Worker } from 'node:cluster';
import module from 'node:module';
import { growingPause } from '@toolwright/json';
import {
  Mailbox,
  type PoolState,
  type ToWorker,
  WORKER_VARIABLE,
  openEnvelope,
  readMessage,
} from '../link/messages.js';
import { HandedConnections } from './handed-connections.js';
import type { MachineStores, WorkerConnection } from './machine-stores.js';
import { passWholeLines } from './whole-lines.js';

/** After this many milliseconds of service, the next end of a worker counts as its first one. */
const SOUND_MS = 60_000;

/**
 * A worker is asked this many times before it counts as hung. Late timers of the primary process alone, as after the
 * machine has slept, then prove nothing against a worker.
 */
const BEATS = 5;

/** How a worker has ended. */
interface Ending {
  readonly pid: number | undefined;
  readonly code: number | null;
  readonly signal: string | null;
}

export interface SlotPorts {
  readonly shared: MachineStores;
  readonly secret: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** After how many milliseconds without an answer a worker is replaced; 0: never. */
  readonly unresponsiveMs: number;
  /** Is called when a worker begins or ends to serve. */
  changed(): void;
  /** True when a worker serves that is not this one. */
  othersServe(slot: WorkerSlot): boolean;
}

interface Beginning {
  resolve(url: string | null): void;
  reject(error: Error): void;
}

/** The place of one worker. When its process ends, the next one takes the place. */
export class WorkerSlot {
  #worker: Worker | undefined;
  #post: ((message: ToWorker) => void) | undefined;
  #readySince: number | undefined;
  #endings = 0;
  /** How often the worker was asked since it was last heard. */
  #unanswered = 0;
  #isStopping = false;
  #cancelRestart = () => {};
  #ended: Promise<void> = Promise.resolve();
  /** False when a worker had to be killed, or ended with an error while it was stopped. */
  isClean = true;

  constructor(
    private readonly number: number,
    private readonly ports: SlotPorts,
  ) {}

  get isServing(): boolean {
    return this.#readySince !== undefined;
  }

  get pid(): number | undefined {
    return this.#worker?.process.pid;
  }

  /**
   * Starts the worker for the first time.
   *
   * @returns what it serves, such as a URL
   * @throws {Error} when it ends before it serves
   */
  begin(): Promise<string | null> {
    return new Promise((resolve, reject) => this.#start({ resolve, reject }));
  }

  tell(state: PoolState): void {
    this.#post?.(['pool', state]);
  }

  /** Lets the worker finish its calls, and kills it when it takes longer. */
  async stop(stopMs: number): Promise<void> {
    this.#isStopping = true;
    this.#cancelRestart();
    this.#post?.(['stop']);
    const cancel = this.ports.clock.after(stopMs, () => {
      this.ports.logger.error({ worker: this.number, stopMs }, 'A worker did not stop in time and is killed');
      this.isClean = false;
      this.#worker?.process.kill('SIGKILL');
    });
    await this.#ended;
    cancel();
  }

  #start(first?: Beginning): void {
    const worker = cluster.fork({ [WORKER_VARIABLE]: String(this.number), ...compileCache() });
    const { stdout, stderr } = worker.process;
    if (stdout) passWholeLines(stdout, process.stdout);
    if (stderr) passWholeLines(stderr, process.stderr);
    // A worker that has just ended cannot take a message any more. Its end is handled below.
    const mailbox = new Mailbox<ToWorker>((envelope) => {
      if (worker.isConnected()) worker.send(envelope, () => undefined);
    });
    const post = (message: ToWorker) => mailbox.post(message);
    const connection = this.ports.shared.join(post);
    this.#worker = worker;
    this.#post = post;
    const handed = this.#watchConnections(worker);
    this.#listen(worker, { connection, handed, first });
    this.#ended = new Promise((resolve) => {
      worker.once('exit', (code: number | null, signal: string | null) => {
        connection.leave();
        const isBegun = this.isServing || !first;
        this.#handleEnd({ pid: worker.process.pid, code, signal }, isBegun);
        first?.reject(new Error(`A worker ended before it served. ${endOf(code, signal)}`));
        resolve();
      });
    });
    worker.on('error', (err) => {
      this.ports.logger.error({ err, worker: this.number }, 'A worker failed');
      // A process that could not be made, for want of descriptors or processes, says nothing else.
      if (worker.process.pid === undefined) worker.process.emit('exit', 1, null);
    });
  }

  #listen(
    worker: Worker,
    {
      connection,
      handed,
      first,
    }: { connection: WorkerConnection; handed: HandedConnections; first: Beginning | undefined },
  ): void {
    const { clock, logger, changed, secret } = this.ports;
    let isUnreadable = false;
    worker.on('message', (envelope: unknown) => {
      this.#unanswered = 0;
      for (const part of openEnvelope<unknown>(envelope)) {
        const message = readMessage(part);
        if (!message) {
          if (!isUnreadable)
            logger.error(
              { worker: this.number, pid: worker.process.pid },
              'A worker sends messages that are none of ours. They are ignored',
            );
          isUnreadable = true;
        } else if (message[0] === 'hello') {
          connection.post(this.#isStopping ? ['stop'] : ['begin', { number: this.number, secret }]);
        } else if (message[0] === 'ready') {
          this.#readySince = monotonic(clock);
          first?.resolve(message[1]);
          this.#beat(worker);
          changed();
        } else if (message[0] === 'leaving') handed.leave();
        else connection.hear(message);
      }
    });
  }

  #watchConnections(worker: Worker): HandedConnections {
    const { logger, othersServe } = this.ports;
    let hasWarned = false;
    return new HandedConnections(worker, {
      canMove: () => !this.#isStopping && othersServe(this),
      refused: () => {
        if (!hasWarned)
          logger.error(
            { worker: this.number, pid: worker.process.pid },
            'A worker has no free file descriptor. Its new connections are closed',
          );
        hasWarned = true;
      },
    });
  }

  /** Asks the worker again and again. A worker whose event loop is blocked serves nobody. */
  #beat(worker: Worker): void {
    const { clock, logger, unresponsiveMs } = this.ports;
    if (unresponsiveMs === 0 || this.#worker !== worker) return;
    if (this.#unanswered >= BEATS) {
      logger.error(
        { worker: this.number, pid: worker.process.pid, unresponsiveMs },
        'A worker does not answer any more and is killed; its calls have failed',
      );
      // A process that was stopped (SIGSTOP) ends by this signal, too.
      worker.process.kill('SIGKILL');
      return;
    }
    this.#unanswered++;
    this.#post?.(['beat']);
    clock.after(unresponsiveMs / BEATS, () => this.#beat(worker));
  }

  #handleEnd({ pid, code, signal }: Ending, isBegun: boolean): void {
    const { clock, logger, changed } = this.ports;
    const servedMs = this.#readySince === undefined ? 0 : monotonic(clock) - this.#readySince;
    const hasServed = this.#readySince !== undefined;
    this.#worker = this.#post = this.#readySince = undefined;
    this.#unanswered = 0;
    if (this.#isStopping && code !== 0) this.isClean = false;
    // The call that began the first worker fails.
    if (this.#isStopping || !isBegun) return;
    this.#endings = servedMs >= SOUND_MS ? 1 : this.#endings + 1;
    const restartInMs = restartDelay(this.#endings);
    const fields = { worker: this.number, pid, code, signal, restartInMs };
    logger.error(
      fields,
      hasServed ? 'A worker has ended; its calls have failed' : 'A worker could not start',
    );
    changed();
    this.#cancelRestart = clock.after(restartInMs, () => this.#start());
  }
}

function endOf(code: number | null, signal: string | null): string {
  return signal ? `It was ended by ${signal}.` : `Its exit code was ${code}, and what it wrote is above.`;
}

/** How many milliseconds to wait before a worker is started again, by how many times in a row it has ended. */
export const restartDelay = (endings: number): number =>
  growingPause(endings - 1, { firstMs: 100, longestMs: 30_000 });

/**
 * Workers load the same files, so one compiles them and the others read what it has compiled. Node.js has that since 22.8;
 * `NODE_DISABLE_COMPILE_CACHE` turns it off.
 */
export function compileCache(): { NODE_COMPILE_CACHE?: string } {
  const { enableCompileCache } = module as { enableCompileCache?: () => { directory?: string } };
  const directory = enableCompileCache?.().directory;
  return directory === undefined ? {} : { NODE_COMPILE_CACHE: directory };
}
