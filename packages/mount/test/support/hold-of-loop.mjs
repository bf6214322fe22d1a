// Mounts each hostile input with the packages as they are built, and prints a line of JSON for each: how long one turn of the
// event loop was held at most, what the mount shows, and what a caller got. The server behind and the caller are other processes.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { createMcpServer } from '@toolwright/core';
import { serveHttp } from '@toolwright/http';
import { inputs } from './hostile-inputs.mjs';

// Another build of the package, to see what a bound is for.
const { mountServer } = await import(process.env.MOUNT_BUILD ?? '@toolwright/mount');

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const beside = (file) => new URL(file, import.meta.url).pathname;
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'caller', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** The time of our own thread, where the system counts it (Linux). Others compile and collect garbage beside it. */
const ownTime = `/proc/self/task/${process.pid}/schedstat`;

function worked() {
  if (existsSync(ownTime)) return Number(readFileSync(ownTime, 'utf8').split(' ')[0]) / 1_000_000;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** The longest turn of the loop. The smaller of both clocks counts, because others use this machine. */
function watchTurns() {
  const watch = { longest: 0, isOver: false };
  let [wall, own] = [performance.now(), worked()];
  const turn = () => {
    watch.longest = Math.max(watch.longest, Math.min(performance.now() - wall, worked() - own));
    [wall, own] = [performance.now(), worked()];
    if (!watch.isOver) setImmediate(turn);
  };
  setImmediate(turn);
  return watch;
}

async function started(file, ...args) {
  const child = spawn(process.execPath, [beside(file), ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  return { child, line: line.trim() };
}

/** Another process asks: reading the answer is not our work. */
async function ask(port, method, params) {
  const body = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } };
  const { line } = await started('./ask-once.mjs', `http://127.0.0.1:${port}/mcp`, JSON.stringify(body));
  return line;
}

async function measure(name) {
  const { child, line } = await started('./hostile-inputs.mjs', name);
  const gateway = await createMcpServer({
    name: 'gateway',
    version: '1',
    services: [],
    audit: false,
    logger: silent,
  });
  const watch = watchTurns();
  const mount = await mountServer(gateway, 'hostile', { url: `http://127.0.0.1:${line}/mcp` });
  const http = await serveHttp(gateway, { port: 0, signals: false });
  const listed = await ask(http.port, 'tools/list', {});
  const called = await ask(http.port, 'tools/call', { name: 'ok', arguments: {} });
  // The last turn is counted when the next one begins.
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  watch.isOver = true;
  const { longest: milliseconds } = watch;
  globalThis.gc?.();
  const heap = process.memoryUsage().heapUsed;
  const { state, operations, left } = mount.status();
  const reasons = [...new Set(left.map(({ reason }) => reason.slice(0, 100)))].slice(0, 3);
  if (name)
    console.log(JSON.stringify({ name, milliseconds, state, operations, reasons, listed, called, heap }));
  await http.close();
  await gateway.close();
  child.stdin.end();
  return heap;
}

// What is loaded and compiled for the first time is no cost of an input.
await measure('');
const asked = process.argv.slice(2);
const sample = () => inputs.filter((_, at) => at % 4 === 0);
const tried = asked[0] === '--sample' ? sample() : asked.length > 0 ? asked : inputs;
for (const name of tried) await measure(name);
process.exit();
