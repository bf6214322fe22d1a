import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { contestants } from '../contestants/catalogue.js';
import { repositoryFolder } from '../folders.js';
import { generateOnce } from '../generate/generate.js';
import { chooseLoad } from '../load/choose-load.js';
import { cleanUpAtExit } from '../processes/clean-up.js';
import { splitCores } from '../processes/cores.js';
import { findNodes } from '../processes/node-versions.js';
import { beginRun } from '../processes/run-conditions.js';
import { publishSection, writeTable } from '../report/files.js';
import type { PeerFigures, PeerRow, PeersResults } from '../report/results.js';
import { installSize } from './install-size.js';
import { measurePeers, TOOLS } from './measure-peers.js';
import { type Peer, peers, peersFolder, pinned } from './peers.js';
import { peersTable } from './peers-table.js';
import { buildXmcp } from './xmcp-source.js';

const WARM_UPS = 3;

const log = (line: string) => process.stderr.write(`${line}\n`);

/** Compares other frameworks. With `--publish` it writes docs/benchmarks.json and docs/performance.md. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '6' },
      seconds: { type: 'string', default: '1' },
      nodes: { type: 'string', default: 'current,24' },
      publish: { type: 'boolean', default: false },
    },
  });
  if (!existsSync(join(peersFolder, 'node_modules')))
    throw new Error('Install the peers first: pnpm --filter @toolwright/app-bench peers:install');
  cleanUpAtExit();
  const generated = generateOnce();
  await buildXmcp(join(generated(TOOLS), 'xmcp'), TOOLS);
  const rounds = Number(values.rounds);
  const conditions = beginRun(rounds);
  const common = {
    load: chooseLoad(),
    warmUps: WARM_UPS,
    rounds,
    seconds: Number(values.seconds),
    sessions: 1,
    streams: 1,
    generated,
    log,
  };
  const cores = splitCores();
  const names = peers.map(({ contestant }) => contestant);
  const found: Map<string, PeerFigures>[] = [];
  for (const { version: node, path } of findNodes(values.nodes.split(','))) {
    log(`Node ${node}`);
    found.push(await measurePeers(names, { ...common, node, place: { node: path, cores } }));
  }
  const rows = peers.map((peer) => ({
    ...describe(peer),
    nodes: found.flatMap((figures) => figures.get(peer.contestant) ?? []),
  }));
  const results: PeersResults = { ...conditions(), rows };
  console.log(peersTable(results));
  if (!values.publish) return;
  log(`Written to ${publishSection({ peers: results })}`);
  log(`Written to ${writeTable('peers', peersTable)}`);
}

/** What a user installs. None of our packages is on npm yet, so they come from archives, as a release packs them. */
function describe({ contestant, installs, ours = [] }: Peer): Omit<PeerRow, 'nodes'> {
  const { title } = contestants.find(({ name }) => name === contestant)!;
  const named = installs.map((name) => `${name}@${pinned[name]}`);
  const folder = mkdtempSync(join(tmpdir(), 'bench-packed-'));
  try {
    for (const each of ours)
      execFileSync('pnpm', ['pack', '--pack-destination', folder], {
        cwd: join(repositoryFolder, 'packages', each),
        stdio: ['ignore', 'ignore', 'inherit'],
        shell: process.platform === 'win32',
      });
    const archives = readdirSync(folder).map((name) => join(folder, name));
    return {
      contestant,
      title,
      installs: [...ours.map((each) => `@toolwright/${each}`), ...named],
      ...installSize([...named, ...archives]),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  log(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
