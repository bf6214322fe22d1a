/**
 * @jest-config-loader ts-node
 * @jest-config-loader-options {"transpileOnly": true}
 */
import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Config } from 'jest';

/**
 * Packages that Jest on Node 20 cannot run as they are: ESM only, or with `import()` inside. They are compiled on the
 * way in. The second name of each is its folder in pnpm's store.
 */
const compiled = [
  'dpop',
  'stemmer',
  'jose',
  'oidc-provider',
  'openid-client',
  'oauth4webapi',
  '@apidevtools/json-schema-ref-parser',
  '@apidevtools\\+json-schema-ref-parser',
  '@electric-sql/pglite',
  '@electric-sql\\+pglite',
  '@modelcontextprotocol/client',
  '@modelcontextprotocol\\+client',
  '@modelcontextprotocol/ext-apps',
  '@modelcontextprotocol\\+ext-apps',
  'cookie',
  'pg-boss',
  'serialize-error',
  'non-error',
  'rrule-temporal',
  '@nestjs/[a-z-]+',
  '@nestjs\\+[a-z-]+',
  'arktype',
  'arkregex',
  '@ark/schema',
  '@ark\\+schema',
  '@ark/util',
  '@ark\\+util',
  // It is not compiled, but shared by test files: see `transform`.
  'typescript',
];

/**
 * `pnpm check` builds before it tests, and says so here. Then all tests but core's own load core as it is published: one
 * file in place of 400, which spares each test file more than half a second.
 */
const isBuilt = process.env.TEST_BUILT === '1';

/**
 * Packages whose coverage is measured together. Jest measures nothing outside of a project's root. Counting doubles the
 * work of their tests, so `npm test` counts only where `COVERAGE=1` asks for it, as the workflow does. Their tests load
 * all of them from their sources.
 */
const measured = ['packages/core', 'packages/ground', 'packages/json', 'packages/wire'];

/** Where the packages of this repository are loaded from. */
const sources = (dir: string): Record<string, string> => ({
  ...(isBuilt &&
    !measured.includes(dir) && {
      '^@toolwright/(core|manifest)$': `${__dirname}/packages/$1/dist/bundle.js`,
      '^@toolwright/core/([a-z-]+)$': `${__dirname}/packages/core/dist/$1.bundle.js`,
    }),
  '^@toolwright/(core|console|http|identity|mount|openapi|operate|postgres|replay|schema-compiler|search|views)/([a-z-]+)$': `${__dirname}/packages/$1/src/$2.ts`,
  '^@toolwright/([a-z-]+)$': `${__dirname}/packages/$1/src/index.ts`,
});

/**
 * The tier that runs. `npm test` sets `test`: the tests of packages, of apps/pages and of `.ci`. `pnpm check:all` sets
 * `rest`: all other projects, and the files of `later`, without those of `atLength`. `pnpm check:node` sets `node`: the files of `onEachNode`. The job on
 * Windows sets `windows`: the files of `onWindows`. Without it, `pnpm jest <pattern>` may run any test.
 */
const tier = process.env.TIER as 'test' | 'rest' | 'node' | 'windows' | undefined;

/** Files of packages that only `pnpm check:all` runs, and what makes them expensive. A new file belongs to `npm test`. */
const later = [
  // It asks a checker about each regular expression that reads texts of strangers.
  'packages/mount/test/linear-expressions.test.ts',
  // They run some 450 programs on threads of their own, a part of them to the end of its time.
  'packages/code/test/{escapes,inner-calls,queued-programs,reported,rounds}.test.ts',
  // They start a browser. `describeInChromium` refuses to run in a file that is missing here.
  'packages/console/test/{*-pane,*-panes,app-pages,filled-forms,forms,palette,tabs}.test.ts',
  'packages/http/test/*-in-browser.test.ts',
  // It sends thousands of texts on every way.
  'packages/http/test/texts-on-every-way.test.ts',
  // The same with integers that no double holds, in each form that a client may send.
  'packages/http/test/regression/long-integers-everywhere.test.ts',
  'packages/views/test/hosts/{built-view,known-breakages,views-test-command,hostile-views}.test.ts',
  'packages/identity/test/{doctor,doctor-and-clients}.test.ts',
  'packages/identity/test/*-in-browser.test.ts',
  'apps/pages/test/console.test.ts',
  // It starts every part that measures something, with three issuers.
  '.ci/test/measured-series.test.ts',
  // It packs every package, and asks npm about each.
  '.ci/test/publish-dry-run.test.ts',
  // They follow edits with a compiler, or build a project for each test.
  'packages/skills/test/dev-skills.test.ts',
  'packages/chat/test/dev-chat.test.ts',
  'packages/views/test/{build,built-pages,dev-views,new-views}.test.ts',
  'packages/cli/test/contract-in-ci.test.ts',
  'packages/cli/test/dev*.test.ts',
  'packages/cli/test/{app-server,completion,documented-commands,foreign-programs,record-and-replay,replay-callers,loaded-projects,gateway,gateway-sign-in,init,lint-directories,lock,migrate,new-mount,new-piece}.test.ts',
  'packages/cli/test/{publish-bundle,run-file,standard-schemas,token-budgets,warm-edits,without-app}.test.ts',
  'packages/operate/test/installed.test.ts',
  'packages/cli/test/regression/{first-mistakes,linked-files,top-level-await,two-copies,type-only-imports,typical-mistakes}.test.ts',
  'packages/create-toolwright/test/{create-app,app-with-grants}.test.ts',
  'packages/nest/test/built-app.test.ts',
  'packages/testing/test/{node-test,preset,regression/places-in-sources}.test.ts',
  // It runs a command line for each step.
  'packages/identity/test/{keys-commands,grants-commands,sign-in-command}.test.ts',
  'packages/operate/test/subject.test.ts',
  'packages/operate/test/{audit-table,subject-tenant}.test.ts',
  // They sign people in at real issuers, or share a store among replicas.
  'packages/identity/test/{approvals-over-*,authorization-proxy*,dpop-over-replicas}.test.ts',
  'packages/identity/test/{dpop-official-clients,identity-assertions,introspection,step-up}.test.ts',
  'packages/identity/test/{issuer-recipes*,own-grants,step-up-of-mcp-remote,stored-grants*}.test.ts',
  'packages/identity/test/token-exchange-replicas.test.ts',
  // They import whole specifications, and call every tool of them.
  'packages/openapi/test/{import-command,locked-contract,openapi-tools}.test.ts',
  'packages/openapi/test/regression/{both-ways,heirs-of-a-base}.test.ts',
  // They open a PostgreSQL within the process, and compile what an import writes.
  'packages/tables/test/*.test.ts',
  // It reads many long texts at many places.
  'packages/openapi/test/linear-time.test.ts',
  // They start a process for each test, restart servers, or wait for limits of time.
  'packages/mount/test/{child-processes,healing,killed-upstreams,malicious-upstream,many-mounts,spare-sessions}.test.ts',
  'packages/mount/test/{costs-in-figures,regression/costs-of-strangers}.test.ts',
  'packages/cli/test/lint-hosts.test.ts',
  'packages/cli/test/regression/{exact-integers,run-module-kinds}.test.ts',
  'packages/create-toolwright/test/{workspace-image,regression/prints-while-loaded}.test.ts',
  'packages/http/test/{kubernetes-timing,slow-peers}.test.ts',
  // They try thousands of times.
  'packages/core/test/{every-fact,tenant-crossings}.test.ts',
  'packages/identity/test/forged-approvals.test.ts',
  // They fill a database, or try races for seconds.
  'packages/postgres/test/contracts.test.ts',
  'packages/redis/test/events.test.ts',
  'packages/postgres/test/{audit-shipping,compare-audit,migrate}.test.ts',
  'packages/safe/test/rooted-path-races.test.ts',
  // They are samples of proofs. Those of core stay in `npm test`, because its coverage counts them.
  'packages/audit/test/tampering.test.ts',
  'packages/codemod/test/migrate/real-servers.test.ts',
  // They start a process, or a cluster, for each test.
  'apps/pages/test/{data-folder,life-cycle}.test.ts',
  'packages/redis/test/{cluster,cluster-failover}.test.ts',
  // Six processes are busy on one core.
  'packages/redis/test/busy-core.test.ts',
  // Its process is stopped for longer than a schedule pauses.
  'packages/schedules/test/paused-machine.test.ts',
  // Their tasks are thousands, or block their processes for longer than a run may be silent.
  'packages/tasks/test/{many-waiting,standing-still,thousands}.test.ts',
  'packages/safe/test/regression/descendants.test.ts',
  // It loads every package that has an option for a duration.
  '.ci/test/durations.test.ts',
  // They compile every example of the documentation, or all packages as they are published.
  '.ci/test/{api-report,release,snippets}.test.ts',
  // They compile whole programs again and again.
  'packages/cli/test/{compile,lint,packaged}.test.ts',
  'packages/schema-compiler/test/{cache,facts-hold,narrow}.test.ts',
];

/**
 * Files that only `pnpm proof` runs. They try at length what shorter ones try in `pnpm check:all`: more apps of newcomers,
 * more faults of machines and networks, a restart from an older commit, every program of the bench.
 */
const atLength = [
  'apps/bench/test/contestants.test.ts',
  'apps/command-line/test/{every-package,more-new-apps}.test.ts',
  'apps/existing-express/test/rolling-restart.test.ts',
  'apps/fleet/test/{machine-faults,network,outages}.test.ts',
  'apps/proof/test/{beside-peers,conformance-through-mount,rolling-upgrade}.test.ts',
  'apps/runtimes/test/built-frameworks.test.ts',
  'packages/cli/test/{dev-new-app,typescript-versions}.test.ts',
  'packages/redis/test/away.test.ts',
];

/** Files about what differs between versions of Node.js: sockets, streams, `fetch`, signals, processes, files, pg-boss. */
const onEachNode = [
  'packages/http/src/**/*.test.ts',
  'packages/http/test/{address-matrix,answers-together,body-limit,caps,errors,guarantees,isolation,json-bombs}.test.ts',
  'packages/http/test/{drain-on-signal,fetch,fetch-contract,listen,ready,serve-health,slow-peers}.test.ts',
  'packages/http/test/{stateful-streams,transport,transport-contract}.test.ts',
  'packages/http/test/regression/{*-and-origin,anonymous-shares,answers-at-*,*-streams,gone-*,interop,silent-*}.test.ts',
  'packages/express/test/{bodies,errors,peer-address,routing}.test.ts',
  'packages/stdio/test/**/*.test.ts',
  'packages/tasks/{src,test}/**/*.test.ts',
  'packages/code/test/queued-programs.test.ts',
  'packages/safe/{src,test}/**/!(rooted-path-races).test.ts',
];

/** Files about paths, line ends, processes and edits that do not themselves need a system with signals and modes. */
const onWindows = [
  '.ci/test/windows.test.ts',
  'packages/cli/src/{changes,dev,install,remote}/**/!(open-source|write-atomically).test.ts',
  'packages/cli/test/{dev,dev-edits,dev-asked-to-end,dev-stdio,new-piece,windows-paths}.test.ts',
  'packages/codemod/src/**/*.test.ts',
  'packages/core/test/{binding,boot-problems,manifests,replace-services}.test.ts',
  'packages/create-toolwright/src/**/*.test.ts',
  'packages/json/src/**/*.test.ts',
  'packages/mount/src/**/*.test.ts',
  'packages/safe/src/command/*.test.ts',
  'packages/schema-compiler/{src,test}/**/!(diagnostics|narrow).test.ts',
  'packages/skills/test/!(skill-problems).test.ts',
  'packages/stdio/test/*.test.ts',
];

const filesIn = (dir: string, list: readonly string[]) =>
  list.filter((file) => file.startsWith(`${dir}/`)).map((file) => join(__dirname, file));

const belongsToTest = (dir: string) => /^(packages\/.*|apps\/pages|\.ci)$/.test(dir);

/** Files of a project in the tier that runs. */
function testMatch(dir: string): string[] {
  const all = ['src', 'test'].map((folder) => join(__dirname, dir, folder, '**/*.test.ts'));
  if (tier === undefined) return all;
  if (tier === 'node') return filesIn(dir, onEachNode);
  if (tier === 'windows') return filesIn(dir, onWindows);
  const own = filesIn(dir, later);
  const not = (files: readonly string[]) => files.map((file) => `!${file}`);
  if (tier === 'rest') return [...(belongsToTest(dir) ? own : all), ...not(filesIn(dir, atLength))];
  return belongsToTest(dir) ? [...all, ...not([...own, ...filesIn(dir, atLength)])] : [];
}

const coverage: Config = {
  collectCoverage: true,
  collectCoverageFrom: ['packages/{core,ground,json,wire}/src/**/*.ts'],
  coverageReporters: ['text-summary'],
  coverageThreshold: { global: { lines: 95, branches: 90 } },
};

const project = (dir: string): Config => ({
  // Otherwise it follows from the place in the list, so each tier would forget how long the files of another took.
  id: dir.replaceAll('/', '-'),
  displayName: dir,
  rootDir: measured.includes(dir) ? __dirname : join(__dirname, dir),
  roots: [join(__dirname, dir)],
  testEnvironment: join(__dirname, '.ci/test/support/shared-environment.cjs'),
  runtime: join(__dirname, '.ci/test/support/shared-scripts.cjs'),
  resolver: join(__dirname, '.ci/test/support/resolve-source.cjs'),
  testMatch: testMatch(dir),
  // A test that prints fails. Examples may print: that is a part of what some of them show.
  setupFilesAfterEnv: belongsToTest(dir) ? [join(__dirname, '.ci/test/support/quiet.ts')] : [],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/fixtures/'],
  modulePathIgnorePatterns: ['/dist/', '/fixtures/.*/package\\.json'],
  moduleNameMapper: {
    ...sources(dir),
    '^create-toolwright$': `${__dirname}/packages/create-toolwright/src/index.ts`,
  },
  transform: {
    '/node_modules/typescript/lib/typescript\\.js$': join(__dirname, '.ci/test/support/share-module.cjs'),
    '^.+\\.[mc]?[jt]s$': [
      join(__dirname, '.ci/test/support/shared-transforms.cjs'),
      {
        jsc: {
          target: 'es2022',
          keepClassNames: true,
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
        },
        module: { type: 'commonjs' },
      },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!\\.pnpm/(${compiled.join('|')})@|(${compiled.join('|')})/)`],
});

/** The same tests with another adapter under them: `mcpFetch` behind node:http in place of `mcpHttp`. */
const overFetch = (): Config => {
  const http = project('packages/http');
  const { moduleNameMapper } = http;
  return {
    ...http,
    id: 'packages-http-over-fetch',
    displayName: 'packages/http over fetch',
    testMatch: tier === 'node' ? http.testMatch : ['<rootDir>/test/**/*.test.ts'],
    // These are about sockets, about `mcpHttp` as such, about both, or about a page that is the same.
    testPathIgnorePatterns: [
      ...(http.testPathIgnorePatterns ?? []),
      '<rootDir>/test/(?:regression/)?(?:absolute-targets|answers-together|certificate-rotation|http2|kubernetes-timing|vanished-clients|signals-and-logs|unix-socket|addresses-and-idle|call-path|errors|transport\\.|address|slow-peers|silent-connections|gone-while-resumed|options-that-are-wrong|anonymous-shares|ready|drain-on-signal|fetch|texts-on-every-way|[a-z]+-in-browser)',
      '<rootDir>/src/',
    ],
    moduleNameMapper: {
      '^(\\.\\./)+src/index\\.js$': `${__dirname}/packages/http/test/support/over-fetch.ts`,
      ...moduleNameMapper,
    },
  };
};

const isProject = (dir: string) => existsSync(join(__dirname, dir, 'package.json'));
const projects = ['packages', 'apps', 'apps/monorepo-services'].flatMap((room) =>
  readdirSync(join(__dirname, room)).map((name) => `${room}/${name}`),
);

/** The tests of packages/nest once more, on the oldest supported Nest. */
const nest11 = project('packages/nest');
nest11.id = 'packages-nest-on-nest-11';
nest11.displayName = 'packages/nest on Nest 11';
nest11.testMatch = ['<rootDir>/test/**/*.test.ts'];
// It runs the built package, which finds Nest 12 beside it.
nest11.testPathIgnorePatterns = [...nest11.testPathIgnorePatterns!, 'built-app'];
nest11.moduleNameMapper = {
  '^@nestjs/(.*)$': `${__dirname}/apps/nest-11/node_modules/@nestjs/$1`,
  ...nest11.moduleNameMapper,
};

/** `.ci/test` holds what belongs to no package: documents against code. */
const all = [...projects.filter(isProject), 'docs/.vitepress', '.ci'].map(project);
/** The same tests once more, on other ground. */
const again = { test: [], node: [overFetch()], windows: [], rest: [overFetch(), nest11] }[tier ?? 'rest'];

export default {
  ...(process.env.COVERAGE === '1' && coverage),
  projects: [...all, ...again].filter(({ testMatch: files }) => files?.length !== 0),
  reporters: ['default', join(__dirname, '.ci/not-tried.mjs')],
  testSequencer: join(__dirname, '.ci/longest-first.mjs'),
  // Jest leaves a core free by itself, which is half of a machine with two. A worker waits for a quarter of its time, and one
  // of the second tier for half of it: for processes that start, for browsers, and for limits that pass.
  maxWorkers: availableParallelism() + (tier === 'rest' ? 3 : 1),
  // On a busy machine a worker takes longer than the default of 500 ms to exit. Jest would end it, and say that it leaks.
  workerGracefulExitTimeout: 120_000,
  // A failed test may leave a process that holds the pipes of its worker. Jest has its results, and would wait for ever.
  forceExit: tier === 'rest',
  // No test is about time, and a machine that is busy with other work is no failure: only what hangs takes this long.
  testTimeout: 300_000,
} satisfies Config;
