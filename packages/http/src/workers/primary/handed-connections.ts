import type { ChildProcess } from 'node:child_process';
import type { Worker } from 'node:cluster';

/** A message of node:cluster about a connection. It reaches the worker together with the connection. */
interface HandOver {
  readonly cmd: 'NODE_CLUSTER';
  readonly act: 'newconn';
  /** The address that the connection came to. */
  readonly key: string;
  readonly seq: number;
}

export interface HandingPorts {
  /** True when another worker can take the connections of this one. */
  canMove(): boolean;
  /** Is called when a connection is closed, because neither this worker nor another one has a free descriptor. */
  refused(): void;
}

/** The connections that were moved once. Workers without free descriptors must not pass them round for ever. */
const moved = new WeakSet<object>();

/**
 * The connections that a worker got from node:cluster and has not taken yet. Node.js keeps its own copy of each until
 * the worker answers. When the worker dies first, Node.js keeps the copy for ever and forgets the connection, so its
 * client waits for ever. This class gives the missing answers: another worker then gets the connection. It speaks the
 * internal messages of node:cluster, because there is no public way (ADR 202). If they should ever change, nothing is
 * noticed here, and Node.js does as it did before.
 */
export class HandedConnections {
  readonly #untaken = new Map<number, object>();
  readonly #process: ChildProcess;
  #isLeaving = false;

  constructor(
    worker: Worker,
    private readonly ports: HandingPorts,
  ) {
    this.#process = worker.process;
    this.#process.on('internalMessage', ({ cmd, ack }: { cmd?: unknown; ack?: unknown }) => {
      if (cmd === 'NODE_CLUSTER' && typeof ack === 'number') this.#untaken.delete(ack);
      // The message came without its connection: the worker has no free descriptor.
      else if (cmd === 'NODE_HANDLE_NACK') this.#refuseFirst();
    });
    this.#watchHandOvers();
    this.#watchEnd();
  }

  /** From now on the other workers get the new connections, as long as there are others. */
  leave(): void {
    this.#isLeaving = true;
  }

  #watchHandOvers(): void {
    const child = this.#process;
    const send = child.send as (this: ChildProcess, message: unknown, ...rest: unknown[]) => boolean;
    child.send = (message: unknown, ...rest: unknown[]) => {
      const [handle] = rest;
      if (isHandOver(message) && typeof handle === 'object' && handle !== null) {
        this.#untaken.set(message.seq, handle);
        if (this.#isLeaving && this.ports.canMove()) {
          setImmediate(() => this.#passOn(message));
          return true;
        }
      }
      return send.call(child, message, ...rest);
    };
  }

  /** The worker has nothing to say about it: to node:cluster it does not listen any more. */
  #passOn({ key, seq }: HandOver): void {
    this.#hear({ act: 'close', key });
    this.#answer(seq, false);
  }

  /**
   * While a connection is on its way, Node.js waits for the worker with the event `disconnect`, even if the worker is
   * dead. Without that event the worker would go on to get connections.
   */
  #watchEnd(): void {
    const child = this.#process;
    let isDisconnected = false;
    child.once('disconnect', () => (isDisconnected = true));
    const disconnect = child.disconnect.bind(child);
    child.disconnect = () => {
      disconnect();
      // The answers that the worker has sent before its end are heard first.
      setImmediate(() => {
        if (!isDisconnected) child.emit('disconnect');
        for (const seq of [...this.#untaken.keys()]) this.#answer(seq, !this.ports.canMove());
      });
    };
  }

  /** Connections are sent one after the other, so it is the first one. */
  #refuseFirst(): void {
    const [first] = this.#untaken;
    if (!first) return;
    const [seq, handle] = first;
    const isLast = moved.has(handle) || !this.ports.canMove();
    moved.add(handle);
    if (isLast) this.ports.refused();
    // node:cluster closes its copy of what was taken. This was the last copy, so the client learns it.
    this.#answer(seq, isLast);
  }

  #answer(seq: number, accepted: boolean): void {
    this.#untaken.delete(seq);
    this.#hear({ ack: seq, accepted });
  }

  #hear(message: object): void {
    this.#process.emit(
      'internalMessage' as 'message',
      { cmd: 'NODE_CLUSTER', ...message },
      undefined as never,
    );
  }
}

function isHandOver(message: unknown): message is HandOver {
  const { cmd, act, seq } = (message ?? {}) as Partial<Record<keyof HandOver, unknown>>;
  return cmd === 'NODE_CLUSTER' && act === 'newconn' && typeof seq === 'number';
}
