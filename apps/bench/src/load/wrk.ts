import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runFolder } from '../folders.js';
import type { WireRequest } from '../protocol/request.js';
import type { Load, LoadGenerator, LoadResult } from './load.js';

/** wrk, where it is installed: in C, and so less often the limit than a client in JavaScript. */
export function wrkLoad(): LoadGenerator | undefined {
  const { stdout, error } = spawnSync('wrk', ['--version'], { encoding: 'utf8' });
  if (error) return undefined;
  return { name: stdout.split(/\s+/).slice(0, 2).join(' '), run };
}

/** As long as autocannon waits: what is slow is measured, not failed. */
const TIMEOUT = '10s';

/** Runs may go on at the same time, and each has a script of its own. */
let scripts = 0;

async function run({ port, seconds, connections, requests }: Load): Promise<LoadResult> {
  const script = join(runFolder, `wrk-${++scripts}.lua`);
  mkdirSync(runFolder, { recursive: true });
  writeFileSync(script, luaScript(requests));
  const load = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', TIMEOUT];
  const args = [...load, '-s', script, `http://127.0.0.1:${port}`];
  const { stdout } = await promisify(execFile)('wrk', args);
  return JSON.parse(stdout.slice(stdout.lastIndexOf('RESULT') + 'RESULT'.length)) as LoadResult;
}

function luaScript(requests: WireRequest[]): string {
  return `
local requests, sent = {}, 0
local function add(path, headers, body)
  requests[#requests + 1] = wrk.format("POST", path, headers, body)
end
init = function()
${requests.map(luaRequest).join('\n')}
end
request = function()
  sent = sent + 1
  return requests[sent % #requests + 1]
end
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format(
    'RESULT{"answers":%d,"seconds":%f,"bytes":%d,"failures":%d,"p50":%f,"p99":%f}',
    summary.requests, summary.duration / 1e6, summary.bytes,
    e.connect + e.read + e.write + e.status + e.timeout,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3))
end
`;
}

function luaRequest({ path, headers, body }: WireRequest): string {
  const fields = Object.entries(headers).map(([name, value]) => `[ ${luaString(name)} ]=${luaString(value)}`);
  return `add(${luaString(path)}, {${fields.join(',')}}, ${luaString(body)})`;
}

const luaString = (text: string) => `[==[${text}]==]`;
