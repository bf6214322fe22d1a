import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { whereInstalled } from '../../../.ci/test/support/installed.js';
import { sampleOf } from '../../../.ci/test/support/proof.js';
import { runFolder } from '../src/folders.js';
import { generateOnce } from '../src/generate/generate.js';
import { autocannonLoad } from '../src/load/autocannon.js';
import { measurePeers, TOOLS } from '../src/peers/measure-peers.js';
import { peers, peersFolder, pinned } from '../src/peers/peers.js';
import { buildXmcp } from '../src/peers/xmcp-source.js';
import { findNodes } from '../src/processes/node-versions.js';

afterAll(() => rmSync(runFolder, { recursive: true, force: true }));

const installed = whereInstalled(join(peersFolder, 'node_modules'), 'The peers of the bench');

/** The other one has a bundler of its own, whose build takes long. */
const measured = sampleOf(['xmcp', 'mcp-use'], (name) => name === 'mcp-use');

installed.describe(`frameworks that are installed apart${installed.note}`, () => {
  test('answer rightly where their Node.js runs, and do not start elsewhere', async () => {
    const generated = generateOnce();
    if (measured.includes('xmcp')) await buildXmcp(join(generated(TOOLS), 'xmcp'), TOOLS);
    const run = {
      load: autocannonLoad,
      warmUps: 0,
      rounds: 1,
      seconds: 1,
      sessions: 1,
      streams: 1,
      generated,
      log: () => undefined,
    };
    const [newer] = findNodes(['24']);
    const place = { node: newer!.path, cores: { server: undefined } };
    const found = await measurePeers([...measured], { ...run, node: newer!.version, place });
    for (const { problem, start, cpu, rate } of found.values()) {
      expect(problem).toBeUndefined();
      expect(Math.min(start[0]!, cpu[0]!, rate[0]!)).toBeGreaterThan(0);
    }
    expect(found.size).toBe(measured.length);
    expect(await measurePeers(['mcp-use'], { ...run, node: '20.19.0', place })).toEqual(new Map());
  });
});

test('each peer says with which versions it is installed', () => {
  for (const { installs } of peers)
    for (const name of installs) expect([name, pinned[name]]).toEqual([name, expect.stringMatching(/^\d/)]);
});

test('the lockfile of the peers names no registry', () => {
  expect(readFileSync(join(peersFolder, 'pnpm-lock.yaml'), 'utf8')).not.toMatch(/https?:\/\/|tarball:/);
});
