import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { Agent } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { until } from '../../../.ci/test/support/until.js';
import { callTool, openPost, type Answer } from '../src/load/wire.js';
import { Machine } from './support/machine.js';

/** Generous: a request that takes so long hangs. */
const HANGS_MS = 60_000;

/** Each worker is killed half as often, and starts again later each time. */
const KILLS = 10;

const isServed = ({ message }: Answer) => message?.result !== undefined && !message.result.isError;

/** Calls over a connection of its own. Returns how it ended. */
async function callAlone(url: string): Promise<'served' | 'failed' | 'hung'> {
  const signal = AbortSignal.timeout(HANGS_MS);
  const agent = new Agent({ keepAlive: false });
  try {
    const answer = await callTool(url, 'whoami', {}, { agent, signal });
    return isServed(answer) ? 'served' : 'failed';
  } catch {
    return signal.aborted ? 'hung' : 'failed';
  } finally {
    agent.destroy();
  }
}

/** The connections of a port that a process holds although the other side has closed them. */
function closeWaits(pid: number, port: number): number {
  const inodes = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
      } catch {
        return []; // It was closed meanwhile.
      }
    }),
  );
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1);
  return rows.filter((row) => {
    const [, address, , state, , , , , , inode] = row.trim().split(/\s+/);
    return address!.endsWith(local) && state === '08' && inodes.has(inode!);
  }).length;
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number);
}

const isWhole = async (machine: Machine) =>
  (await machine.state('/readyz').catch(() => ({ state: { away: true } }))).state['away'] === undefined;

describe('Workers that die, hang or have no descriptors', () => {
  let machine: Machine;
  afterEach(async () => {
    await machine?.stop();
    machine?.forget();
  });

  it('No request hangs, and no connection stays open, when workers are killed under load', async () => {
    machine = await Machine.start({ WORKERS: '2', AUDIT_FILE: '' });
    const outcomes: string[] = [];
    let isOver = false;
    const load = Array.from({ length: 12 }, async () => {
      while (!isOver) outcomes.push(await callAlone(machine.url));
    });
    const served = () => outcomes.filter((outcome) => outcome === 'served').length;
    for (let kill = 0; kill < KILLS; kill++) {
      await until(() => isWhole(machine));
      const before = served();
      await until(() => served() > before + 20);
      const [oldest] = childrenOf(machine.pid);
      process.kill(oldest!, 'SIGKILL');
      await until(() => !childrenOf(machine.pid).includes(oldest!));
    }
    isOver = true;
    await Promise.all(load);
    expect(outcomes.filter((outcome) => outcome === 'hung')).toHaveLength(0);
    expect(served()).toBeGreaterThan(KILLS * 20);
    await until(() => isWhole(machine));
    expect(closeWaits(machine.pid, machine.port)).toBe(0);
  }, 300_000);

  it('A worker that was stopped is noticed and replaced, and its new connections are served by others', async () => {
    machine = await Machine.start({ WORKERS: '2', AUDIT_FILE: '', UNRESPONSIVE_MS: '1500' });
    const [stopped] = machine.pids;
    process.kill(stopped!, 'SIGSTOP');
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => callAlone(machine.url)));
    expect(new Set(outcomes)).toEqual(new Set(['served']));
    await until(() => machine.output.includes('does not answer any more and is killed'));
    await until(() => !childrenOf(machine.pid).includes(stopped!) && childrenOf(machine.pid).length === 2);
    await until(() => isWhole(machine));
    const line = await machine.lineTo(1);
    expect(isServed(await callTool(machine.url, 'whoami', {}, { agent: line }))).toBe(true);
    expect(closeWaits(machine.pid, machine.port)).toBe(0);
  }, 120_000);

  it('A worker that drains ends its connections with its answers, and others get the new ones', async () => {
    machine = await Machine.start({ WORKERS: '2', AUDIT_FILE: '' });
    const [pid] = machine.pids;
    const [busy, other] = [await machine.lineTo(1), await machine.lineTo(1)];
    const count = { name: 'count_slowly', arguments: { steps: 100, ms: 50 }, _meta: { progressToken: 1 } };
    const running = await openPost(machine.url, 'tools/call', count, { agent: busy });
    process.kill(pid!, 'SIGTERM');
    // The worker drains as soon as it refuses calls.
    let late = await openPost(machine.url, 'tools/call', { name: 'whoami', arguments: {} }, { agent: other });
    while (late.statusCode === 200 && late.headers.connection !== 'close') {
      late.resume();
      late = await openPost(machine.url, 'tools/call', { name: 'whoami', arguments: {} }, { agent: other });
    }
    expect(late.headers.connection).toBe('close');
    late.resume();
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => callAlone(machine.url)));
    expect(new Set(outcomes)).toEqual(new Set(['served']));
    let text = '';
    for await (const chunk of running) text += String(chunk);
    expect(text).toContain('"steps":100');
    await until(() => isWhole(machine));
  }, 120_000);

  it('Messages that are none of ours are ignored, and the primary process lives on', async () => {
    const fixture = join(__dirname, 'fixtures', 'malformed-worker.cjs');
    machine = await Machine.start({ WORKERS: '2', AUDIT_FILE: '', NODE_OPTIONS: `--require ${fixture}` });
    expect(await callAlone(machine.url)).toBe('served');
    expect(machine.output).toContain('A worker sends messages that are none of ours');
    expect(machine.pids).toHaveLength(2);
  }, 120_000);

  it('Running out of descriptors is logged, hangs nobody, and ends with the connections that took them', async () => {
    machine = await Machine.start({ WORKERS: '2', AUDIT_FILE: '' }, 'ulimit -n 60');
    const idle: Socket[] = [];
    while (!machine.output.includes('No file descriptor is free') || idle.length < 200) {
      const socket = connect(machine.port, '127.0.0.1').on('error', () => undefined);
      socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
      idle.push(socket);
      await wait(10);
    }
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => callAlone(machine.url)));
    expect(outcomes).not.toContain('hung');
    for (const socket of idle) socket.destroy();
    await until(async () => (await callAlone(machine.url)) === 'served');
    await until(() => machine.output.includes('File descriptors are free again'));
    await until(() => isWhole(machine));
  }, 120_000);
});
