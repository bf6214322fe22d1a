import { Agent } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { exchange } from '../protocol/exchange.js';
import { quantile } from '../report/statistics.js';
import type { Load, LoadResult } from './load.js';

/** Open-loop load: requests leave when they are due, whether or not the earlier ones were answered. */
export interface ArrivalLoad extends Load {
  perSecond: number;
}

/**
 * Sends requests at a constant rate. Latency counts from the moment a request was due, so that a server that stalls
 * is charged for everyone who had to wait, not only for the request it stalled on.
 */
export async function constantArrivals(load: ArrivalLoad): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: load.connections });
  const tally = { latencies: [] as number[], bytes: 0, failures: 0 };
  const sent: Promise<void>[] = [];
  const start = performance.now();
  const total = Math.floor(load.seconds * load.perSecond);
  const due = (index: number) => start + (index * 1000) / load.perSecond;
  try {
    while (sent.length < total) {
      while (sent.length < total && due(sent.length) <= performance.now()) {
        sent.push(send(load, sent.length, due(sent.length)));
      }
      await sleep(1);
    }
    await Promise.all(sent);
  } finally {
    agent.destroy();
  }
  const latencies = tally.latencies.sort((a, b) => a - b);
  return {
    answers: latencies.length,
    seconds: (performance.now() - start) / 1000,
    bytes: tally.bytes,
    failures: tally.failures,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  };

  async function send({ port, requests }: Load, index: number, dueAt: number): Promise<void> {
    try {
      const answer = await exchange(port, requests[index % requests.length]!, agent);
      tally.latencies.push(performance.now() - dueAt);
      tally.bytes += Buffer.byteLength(answer.body);
      if (answer.status !== 200) tally.failures++;
    } catch {
      tally.failures++;
    }
  }
}
