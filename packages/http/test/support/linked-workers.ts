import { EventEmitter } from 'node:events';
import type { Clock } from '@toolwright/core/ports';
import { ManualClock } from '@toolwright/testing';
import { Mailbox, type ToPrimary, type ToWorker, openEnvelope } from '../../src/workers/link/messages.js';
import { MachineStores, type WorkerConnection } from '../../src/workers/primary/machine-stores.js';
import { PrimaryLink } from '../../src/workers/worker/primary-link.js';
import { WorkerStores } from '../../src/workers/worker/worker-stores.js';

/** A worker whose messages travel within this process, as JSON. */
export interface LinkedWorker {
  readonly stores: WorkerStores;
  readonly connection: WorkerConnection;
  /** What it has asked and told, one entry for each message. */
  readonly sent: readonly ToPrimary[];
  /** How many envelopes that took. */
  readonly envelopes: number;
  /** While it is true, what is sent to the worker waits, as while it computes. */
  isBusy: boolean;
  /** Brings what has waited. */
  wake(): void;
}

const copy = (envelope: object): unknown => JSON.parse(JSON.stringify(envelope));

/** Workers and their primary process, all in this one. */
export function linkWorkers(count: number): { clock: ManualClock; workers: LinkedWorker[] } {
  const clock = new ManualClock();
  return { clock, workers: linkWorkersWith(count, clock) };
}

/** @param own the clock of each worker, where it is not that of the primary process */
export function linkWorkersWith(count: number, clock: Clock, own: Clock = clock): LinkedWorker[] {
  const shared = new MachineStores(count, clock);
  return Array.from({ length: count }, () => linkWorker(shared, own));
}

function linkWorker(shared: MachineStores, clock: Clock): LinkedWorker {
  const wire = new EventEmitter();
  const sent: ToPrimary[] = [];
  let waiting: unknown[] = [];
  const deliver = (envelope: unknown) => wire.emit('message', envelope);
  const toWorker = new Mailbox<ToWorker>((envelope) => {
    if (worker.isBusy) waiting.push(copy(envelope));
    else deliver(copy(envelope));
  });
  const connection = shared.join((message) => toWorker.post(message));
  const link = new PrimaryLink({
    send: (envelope) => {
      worker.envelopes++;
      for (const message of openEnvelope<ToPrimary>(copy(envelope))) {
        sent.push(message);
        connection.hear(message);
      }
    },
    listen: (hear) => void wire.on('message', hear),
  });
  const worker = {
    stores: new WorkerStores(link, 's'.repeat(32), clock),
    connection,
    sent,
    envelopes: 0,
    isBusy: false,
    wake() {
      worker.isBusy = false;
      const late = waiting;
      waiting = [];
      late.forEach(deliver);
    },
  };
  return worker;
}
