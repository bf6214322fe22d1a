// Runs every proof at full size, for hours, and writes its figures to docs/proofs.json:
//   node apps/proof/run.mjs                all of them
//   node apps/proof/run.mjs races fuzz     these, and leaves the figures of the others as they are
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What each proof claims, its test files, and how many times as much as its sample it tries. */
const proofs = {
  approvals: {
    claim: 'No call runs that nobody has approved, whatever its client forges.',
    files: ['packages/identity/test/forged-approvals.test.ts'],
    size: 10,
  },
  bundlers: {
    claim:
      'Each bundler makes an app that answers, with optional peers and without: Next.js with both of its own.',
    files: ['apps/toolchains/test/bundlers.test.ts'],
    size: 2,
  },
  'bench-programs': {
    claim: 'Every program that the bench compares answers rightly, and a wrong answer is not ranked.',
    files: [
      'apps/bench/test/contestants.test.ts',
      'apps/bench/test/callers.test.ts',
      'apps/bench/test/peers.test.ts',
    ],
    size: 2,
  },
  'class-validator': {
    claim: 'A call accepts nothing that class-validator refuses.',
    files: ['packages/core/test/class-validator-oracle.test.ts'],
    size: 40,
  },
  conformance: {
    claim: 'The official conformance suite finds no fault, on any revision, runtime or task queue.',
    files: ['apps/conformance/test/official-suite.test.ts', 'apps/runtimes/test/official-suite.test.ts'],
    size: 2,
  },
  edits: {
    claim: 'A build after an edit has the same result as a first build, whatever the edit names.',
    files: ['packages/schema-compiler/test/narrow.test.ts'],
    size: 2,
  },
  facts: {
    claim:
      'What an author says of a member is published and holds, or the build names it, however the member is used again.',
    files: ['packages/core/test/every-fact.test.ts'],
    size: 40,
  },
  faults: {
    claim: 'A fleet goes on while its machines, networks, stores and balancers fail, or are replaced.',
    files: [
      'apps/fleet/test/machine-faults.test.ts',
      'apps/fleet/test/network.test.ts',
      'apps/fleet/test/outages.test.ts',
      'apps/existing-express/test/rolling-restart.test.ts',
      'packages/redis/test/away.test.ts',
    ],
    size: 2,
  },
  frameworks: {
    claim: 'Apps that Next.js and SvelteKit have built answer, stream and keep sessions.',
    files: ['apps/runtimes/test/built-frameworks.test.ts'],
    size: 2,
  },
  fuzz: {
    claim: 'Every answer to a mutated request fits the schema of its revision, and no internal text leaves.',
    files: ['apps/conformance/test/fuzz.test.ts'],
    size: 100,
  },
  kills: {
    claim: 'A mounted server is killed under load: no call of a client fails, and nothing grows.',
    files: ['packages/mount/test/killed-upstreams.test.ts'],
    size: 34,
  },
  'long-texts': {
    claim: 'Reading a specification costs as much as it is long, whatever is written at its places.',
    files: ['packages/openapi/test/linear-time.test.ts'],
    size: 2,
  },
  mounts: {
    claim: 'A mount changes nothing: for the official suite, official clients, and servers of other people.',
    files: [
      'apps/proof/test/real-servers.test.ts',
      'apps/proof/test/conformance-through-mount.test.ts',
      'apps/conformance/test/clients-through-mount.test.ts',
      'apps/reference-servers/test/through-mount.test.ts',
      'packages/mount/test/costs-in-figures.test.ts',
    ],
    size: 2,
  },
  newcomers: {
    claim: 'Each way to begin that the guides show ends with an app that is built, tested and called.',
    files: [
      'apps/command-line/test/new-app.test.ts',
      'apps/command-line/test/more-new-apps.test.ts',
      'packages/cli/test/dev-new-app.test.ts',
      'packages/cli/test/typescript-versions.test.ts',
      'packages/cli/test/regression/run-module-kinds.test.ts',
      'packages/create-toolwright/test/create-app.test.ts',
    ],
    size: 2,
  },
  packages: {
    claim: 'All packages of a release are installed from a registry by npm, and each of their entries loads.',
    files: ['apps/command-line/test/every-package.test.ts'],
    size: 2,
  },
  peers: {
    claim:
      'All packages are installed beside the two newest majors of each peer, and views are built by four of Vite.',
    files: ['apps/proof/test/beside-peers.test.ts'],
    size: 2,
  },
  openapi: {
    claim: 'Specifications of 16 companies become code that compiles; requests fit them, and answers arrive.',
    files: ['apps/proof/test/openapi-sweep.test.ts', 'apps/proof/test/openapi-answers.test.ts'],
    size: 2,
  },
  panes: {
    claim:
      'No pane of the console has a barrier, on a phone, zoomed and on a desk, in light and dark colours.',
    files: [
      'packages/console/test/all-panes.test.ts',
      'packages/console/test/access-pane.test.ts',
      'packages/console/test/calls-pane.test.ts',
      'packages/console/test/chat-pane.test.ts',
      'packages/console/test/contract-pane.test.ts',
      'packages/console/test/filled-forms.test.ts',
      'packages/console/test/hosts-pane.test.ts',
      'packages/console/test/tools-pane.test.ts',
      'packages/console/test/traffic-pane.test.ts',
      'apps/gallery/test/console.test.ts',
    ],
    size: 2,
  },
  programs: {
    claim:
      'A program over tools of real APIs says what calls one by one say, and a join of three lists takes a tenth of the tokens.',
    files: ['apps/proof/test/code-mode.test.ts'],
    size: 2,
  },
  races: {
    claim: 'No file outside of a root is reached while another process exchanges folders and links.',
    files: ['packages/safe/test/rooted-path-races.test.ts'],
    size: 1250,
  },
  queue: {
    claim: 'Ten thousand tasks that wait are worked off, each once, while the engine does its maintenance.',
    files: ['packages/tasks/test/thousands.test.ts', 'packages/tasks/test/releases.test.ts'],
    size: 10,
  },
  search: {
    claim:
      'A search without a model finds the right tool of 1,067 and of 4,752, on requests that it has not seen.',
    files: ['apps/proof/test/tool-search.test.ts'],
    size: 2,
  },
  'sign-in': {
    claim:
      'The doctor names the step at which each of three clients stops, for every seeded fault of a sign-in.',
    files: ['packages/identity/test/doctor-and-clients.test.ts'],
    size: 2,
  },
  site: {
    claim:
      'No link of the site leads nowhere, and no guide breaks a rule of axe-core, in light and dark colours.',
    files: ['docs/.vitepress/test/site.test.ts'],
    size: 2,
  },
  slips: {
    claim:
      'Each single mistake in a specification ends with the tools that are meant, or in a line with its place.',
    files: ['packages/openapi/test/slips.test.ts'],
    size: 2,
  },
  tables: {
    claim:
      'Tables with any names and types become code that compiles, and rows that are read, written and named as they are.',
    files: ['packages/tables/test/names-and-types.test.ts'],
    size: 20,
  },
  tampering: {
    claim: 'Every change of an audit log is found.',
    files: ['packages/audit/test/tampering.test.ts'],
    size: 250,
  },
  tenants: {
    claim: 'No tenant of fifty reads what belongs to another, whatever they call at the same time.',
    files: ['packages/core/test/tenant-crossings.test.ts'],
    size: 100,
  },
  toolchains: {
    claim: 'Each toolchain of the matrix builds an app that answers.',
    files: ['apps/toolchains/test/toolchains.test.ts'],
    size: 2,
  },
  ways: {
    claim:
      'Whatever judges or watches calls does the same on every way to an operation, and beside every feature.',
    files: ['apps/conformance/test/ways.test.ts', 'apps/conformance/test/pairs-of-features.test.ts'],
    size: 2,
  },
  upgrade: {
    claim: 'A fleet restarts from the commit before to this one: no call fails, and what is stored is read.',
    files: ['apps/proof/test/rolling-upgrade.test.ts'],
    size: 10,
  },
};

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const page = join(root, 'docs/proofs.json');
const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !(name in proofs));
if (unknown.length > 0) {
  console.error(`There is no proof ${unknown.join(', ')}. There are ${Object.keys(proofs).join(', ')}.`);
  process.exit(2);
}

for (const [name, proof] of Object.entries(proofs)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  const result = run(name, proof);
  if (result === undefined) {
    process.exitCode = 1;
    continue;
  }
  // Another run may have written its own meanwhile.
  const written = { ...JSON.parse(readFileSync(page, 'utf8')), [name]: result };
  writeFileSync(page, `${JSON.stringify(written, null, 2)}\n`);
}

/** The figures of a proof, or undefined when it failed. */
function run(name, { claim, files, size }) {
  console.log(`${name}: ${claim}`);
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-proof-'));
  const figures = join(folder, 'figures');
  const results = join(folder, 'results.json');
  writeFileSync(figures, '');
  const began = Date.now();
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  // A proof may take a day.
  const { status } = spawnSync(
    process.execPath,
    [jest, '--testTimeout=86400000', '--json', `--outputFile=${results}`, '--runTestsByPath', ...files],
    {
      cwd: root,
      stdio: 'inherit',
      env: {
        ...process.env,
        REQUIRE_ALL: '1',
        TEST_BUILT: '1',
        PROOF_SIZE: String(size),
        PROOF_FIGURES: figures,
      },
    },
  );
  const counted = sum(readFileSync(figures, 'utf8').trim().split('\n').filter(Boolean).map(JSON.parse));
  if (status === 0) counted.tests = JSON.parse(readFileSync(results, 'utf8')).numPassedTests;
  rmSync(folder, { recursive: true });
  if (status !== 0) return;
  const minutes = Math.ceil((Date.now() - began) / 60_000);
  return {
    claim,
    figures: counted,
    minutes,
    node: process.versions.node,
    date: new Date().toISOString().slice(0, 10),
  };
}

function sum(all) {
  const total = {};
  for (const each of all)
    for (const [name, value] of Object.entries(each)) total[name] = (total[name] ?? 0) + value;
  return total;
}
