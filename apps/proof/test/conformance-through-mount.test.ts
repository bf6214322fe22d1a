import { createMcpServer, type McpServer } from '@toolwright/core';
import { serveHttp } from '@toolwright/http';
import { mountServer } from '@toolwright/mount';
import { silentLogger } from '@toolwright/core/ports';
import { count, size } from '../../../.ci/test/support/proof.js';
import { conformanceCli, runReferee } from '../../conformance/test/support/referees.js';
import { RunningApp } from '../../conformance/test/support/running-app.js';
import { olderFrontOf } from '../../../packages/mount/test/support/older-front.js';

const eras = ['2025-11-25', '2026-07-28'] as const;

/** It would be refused, and a mount waits for the result in its place: more clients can use the tool. */
const waits = { 'tasks-required-task-error': 'A client that follows no tasks waits for the result.' };

/**
 * What clients of 2026-07-28 do not get of an older server, whatever is before it, because its protocol has no words for
 * it. Each of them must still fail, so that nothing stays here that works.
 */
const unsaid = {
  'server-stateless': 'An older server does not say which capability of its client it misses.',
  'input-required-result-basic-elicitation': 'Its questions have numbers and no names.',
  'tasks-mrtr-composition': 'It asks after it has begun the task, and never before.',
};

const known: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '2025-11-25 for clients of 2026-07-28': { ...unsaid, ...waits },
  '2026-07-28 for clients of 2026-07-28': waits,
};

/**
 * The checks that such a server passes and its mount only warns of: `…-tools-list-changed-on-subscription` and
 * `…-prompts-list-changed-on-subscription` of SEP-2575, both a SHOULD. The app announces changes that it has not made. A mount
 * reads the lists again, finds them the same, and tells nobody, so that a server behind cannot wake all clients.
 */
const notAnnounced = { scenario: 'server-stateless', checks: 2 };

/** How many checks of a scenario passed and failed. */
type Verdict = Readonly<Record<string, { readonly passed: number; readonly failed: number }>>;

/** What the official suite says of a server, by scenario. */
async function judge(url: string, revision: string): Promise<Verdict> {
  const { output } = await runReferee([conformanceCli, 'server', '--url', url, '--requirements', revision]);
  const summary = output.slice(output.indexOf('=== SUMMARY ==='));
  const results = [...summary.matchAll(/^[✓✗] ([\w-]+): (\d+) passed, (\d+) failed$/gm)];
  return Object.fromEntries(
    results.map(([, name, passed, failed]) => [name!, { passed: Number(passed), failed: Number(failed) }]),
  );
}

const failing = (verdict: Verdict) => Object.keys(verdict).filter((name) => verdict[name]!.failed > 0);

// The sample is of one era, the newest.
describe.each(size > 1 ? eras : eras.slice(-1))('A mount of the conformance server of %s', (behind) => {
  let app: RunningApp;
  let gateway: McpServer;
  let url: string;
  const open: { close(): unknown }[] = [];
  beforeAll(async () => {
    app = await RunningApp.start();
    let upstream = app.url;
    if (behind === '2025-11-25') {
      const front = await olderFrontOf(upstream);
      open.push(front);
      upstream = front.url;
    }
    gateway = await createMcpServer({
      name: 'gateway',
      version: '1.0.0',
      services: [],
      rateLimit: false,
      concurrency: false,
      timeout: false,
      audit: false,
      output: { hidden: 'keep' },
      // The suite asks whether keywords arrive that some hosts refuse.
      lists: { clientSafe: false },
      sessions: { pollAfter: 3000 },
      logger: silentLogger,
    });
    const mount = await mountServer(gateway, 'conformance', { url: upstream });
    expect(mount.status().era).toBe(behind === '2026-07-28' ? 'stateless' : 'stateful');
    const served = await serveHttp(gateway, { port: 0, signals: false });
    open.push(gateway, served);
    // The suite wants a name, not an address.
    url = served.url.replace('127.0.0.1', 'localhost');
  });
  afterAll(async () => {
    for (const each of open.reverse()) await each.close();
    await app.stop();
  });

  // The sample has clients of the same revision as the server.
  test.each(size > 1 ? eras : [behind])(
    'passes what the server passes itself, for clients of %s',
    async (revision) => {
      const direct = await judge(app.url, revision);
      const mounted = await judge(url, revision);

      const differences = known[`${behind} for clients of ${revision}`] ?? {};
      expect(failing(direct)).toEqual([]);
      expect(failing(mounted).sort()).toEqual(Object.keys(differences).sort());
      const same = Object.keys(direct).filter((name) => !Object.hasOwn(differences, name));
      expect(same.filter((name) => !mounted[name])).toEqual([]);
      expect(same.length).toBeGreaterThan(30);
      const { scenario, checks } = notAnnounced;
      if (direct[scenario] && same.includes(scenario))
        expect(mounted[scenario]).toEqual({ passed: direct[scenario].passed - checks, failed: 0 });
      count('scenarios of the official suite that a mount passes', same.length);
      count('scenarios that an older protocol has no words for', Object.keys(differences).length);
    },
  );
});
