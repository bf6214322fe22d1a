import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { count } from '../../../.ci/test/support/proof.js';
import { loadsEveryEntry, published } from '../../command-line/test/support/every-entry.js';

// It asks the registry of npm for the peers, so only a proof runs it.

const home = temporaryFolder();

const archive = (name: string, version: string) =>
  join(home, `${name.replace(/^@/, '').replace('/', '-')}-${version}.tgz`);

/** The packed packages, by their names. Each of them in a project keeps npm from asking a registry for the others. */
const packed = Object.fromEntries(
  published.map(({ name, version }) => [name, `file:${archive(name, version)}`]),
);

const peers = [
  ...new Set(
    published.flatMap((each) => Object.keys({ ...each.peerDependencies, ...each.peerDependenciesMeta })),
  ),
];

/** The newest majors of each peer. */
let majors: [name: string, newest: string[]][];

beforeAll(async () => {
  execFileSync(join(__dirname, '../../../.ci/pack'), [home], { stdio: 'ignore' });
  majors = await Promise.all(peers.map(async (name) => [name, await majorsOf(name)] as [string, string[]]));
});

/** The majors of a package, as npm has them, newest first. A version before 1.0.0 has its second number for a major. */
async function majorsOf(name: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)('npm', ['view', name, 'versions', '--json']);
  const stable = (JSON.parse(stdout) as string[]).filter((version) => /^\d+\.\d+\.\d+$/.test(version));
  const found = stable.map((version) => /^(?:0\.)?\d+/.exec(version)![0]);
  return [...new Set(found)].sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
}

/** A folder with all packages of this release, and these. npm refuses it when a peer does not fit. */
function install(name: string, beside: Record<string, string>): { folder: string; refused: string } {
  const folder = join(home, name);
  mkdirSync(folder, { recursive: true });
  const dependencies = { ...packed, ...beside };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
  const words = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline'];
  const { status, stderr } = spawnSync('npm', words, { cwd: folder, encoding: 'utf8' });
  return { folder, refused: status === 0 ? '' : stderr };
}

/** The peers whose second newest major no package can work with, and why. */
const onlyNewest: Record<string, string> = {
  '@cedar-policy/cedar-wasm': 'Version 3 does not keep policies that it has read.',
  '@opentelemetry/api': 'Before 1.0.0, the interface was another one.',
  'axe-core': 'Version 3 is of 2020, before ECMAScript modules and the rules that we look for.',
  'playwright-core': 'Before 1.0.0, the interface was another one.',
  rxjs: 'Nest itself needs version 7.',
};

/** Adapters are used once, because they are what an older major of a framework breaks. */
const serves = `
import { createMcpServer } from '@toolwright/core';
import { mcpExpress } from '@toolwright/express';
import { mcpFastify } from '@toolwright/fastify';
import express from 'express';
import Fastify from 'fastify';

const server = await createMcpServer({ name: 'beside', version: '1', services: [] });
const answers = async (url) => {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'peer', version: '1' } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  const answer = await fetch(url, { method: 'POST', headers, body });
  return answer.status + ' ' + /"name":"beside"/.test(await answer.text());
};
const app = Fastify();
app.register(mcpFastify, { server });
const onFastify = await answers((await app.listen({ port: 0, host: '127.0.0.1' })) + '/mcp');
const listening = express().use('/mcp', mcpExpress(server)).listen(0, '127.0.0.1');
await new Promise((resolve) => listening.once('listening', resolve));
const onExpress = await answers('http://127.0.0.1:' + listening.address().port + '/mcp');
console.log(JSON.stringify([onFastify, onExpress]));
process.exit();
`;

/** What a program prints that runs in a folder. */
function run(folder: string, program: string): unknown {
  writeFileSync(join(folder, 'program.mjs'), program);
  const { stdout, stderr } = spawnSync(process.execPath, ['program.mjs'], { cwd: folder, encoding: 'utf8' });
  return stdout === '' ? stderr : (JSON.parse(stdout) as unknown);
}

test.each([
  ['newest', 0],
  ['second newest', 1],
])('beside the %s major of every peer, all packages are installed, and load', (name, rank) => {
  const chosen = majors.map(([peer, [newest, second = newest]]) => [
    peer,
    `^${rank === 0 || peer in onlyNewest ? newest : second}`,
  ]);
  const { folder, refused } = install(name, Object.fromEntries(chosen) as Record<string, string>);
  expect(refused).toBe('');
  expect(run(folder, loadsEveryEntry)).toEqual({});
  expect(run(folder, serves)).toEqual(['200 true', '200 true']);
  const tried = majors.filter(([peer, all]) => rank === 0 || (all.length > 1 && !(peer in onlyNewest)));
  count('majors of peers beside which every package is installed and loads', tried.length);
});

// Node.js 20 and 22 bring npm 10. It fails in the peers of Vitest, even if nobody wants Vitest.
test('npm 10 installs all packages', () => {
  const folder = join(home, 'npm-10');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: packed }));
  const words = ['--yes', 'npm@10', 'install', '--package-lock-only', '--ignore-scripts', '--prefer-offline'];
  expect(spawnSync('npx', words, { cwd: folder, encoding: 'utf8' })).toMatchObject({ status: 0 });
});

// The folder stays, so that npm exchanges Vite alone.
test.each(['5', '6', '7', '8'])('views are built with Vite %s', (major) => {
  const { folder, refused } = install('views', {
    vite: `^${major}`,
    preact: '^10.19',
    typescript: '^5.9',
    '@types/node': '^20',
  });
  expect(refused).toBe('');
  cpSync(join(__dirname, 'fixtures/view-project'), folder, { recursive: true });
  const built = spawnSync('npx', ['--no', 'toolwright', 'build'], { cwd: folder, encoding: 'utf8' });
  expect(built).toMatchObject({ status: 0, stderr: '' });
  const pages = JSON.parse(readFileSync(join(folder, 'mcp.views.json'), 'utf8')) as { chart: string };
  expect(pages.chart).toContain('color:light-dark(#123,#def)');
  expect(pages.chart).toMatch(/script-src '[^']+' https:\/\/cdn\.example\.com https:\/\/img\.example/);
  expect(pages.chart).not.toMatch(/jsxDEV|NODE_ENV/);
  count('versions of Vite that build a view', 1);
});
