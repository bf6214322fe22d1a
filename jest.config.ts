/** @jest-config-loader ts-node */
/** @jest-config-loader-options {"transpileOnly": true} */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from 'jest';

/**
 * Packages that Jest on Node 20 cannot run as they are: ESM only, or with `import()` inside. They are compiled on the
 * way in. The second name of each is its folder in pnpm's store.
 */
const compiled = [
  'jose',
  '@electric-sql/pglite',
  '@electric-sql\\+pglite',
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
];

/**
 * `pnpm check` builds before it tests, and says so here. Then all tests but core's own load core as it is published: one
 * file in place of 400, which spares each test file more than half a second.
 */
const isBuilt = process.env.TEST_BUILT === '1';

/** Where the packages of this repository are loaded from. */
const sources = (dir: string): Record<string, string> => ({
  ...(isBuilt &&
    dir !== 'packages/core' && {
      '^@toolwright/(core|manifest)$': `${__dirname}/packages/$1/dist/bundle.js`,
      '^@toolwright/core/([a-z-]+)$': `${__dirname}/packages/core/dist/$1.bundle.js`,
    }),
  '^@toolwright/(core|console|http|postgres)/([a-z-]+)$': `${__dirname}/packages/$1/src/$2.ts`,
  '^@toolwright/([a-z-]+)$': `${__dirname}/packages/$1/src/index.ts`,
});

const project = (dir: string): Config => ({
  displayName: dir,
  rootDir: join(__dirname, dir),
  testEnvironment: 'node',
  testMatch: ['<rootDir>/src/**/*.test.ts', '<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/fixtures/'],
  modulePathIgnorePatterns: ['/dist/', '/fixtures/.*/package\\.json'],
  moduleNameMapper: {
    ...sources(dir),
    '^create-toolwright$': `${__dirname}/packages/create-toolwright/src/index.ts`,
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  transform: {
    '^.+\\.[mc]?[jt]s$': [
      '@swc/jest',
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
    displayName: 'packages/http over fetch',
    testMatch: ['<rootDir>/test/**/*.test.ts'],
    // These are about sockets, or about `mcpHttp` as such.
    testPathIgnorePatterns: [
      ...(http.testPathIgnorePatterns ?? []),
      '<rootDir>/test/(?:regression/)?(?:answers-together|call-path|errors|transport\\.|address|slow-peers|silent-connections|gone-while-resumed|anonymous-shares|ready|fetch)',
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
nest11.displayName = 'packages/nest on Nest 11';
// It runs the built package, which finds Nest 12 beside it.
nest11.testPathIgnorePatterns = [...nest11.testPathIgnorePatterns!, 'built-app'];
nest11.moduleNameMapper = {
  '^@nestjs/(.*)$': `${__dirname}/apps/nest-11/node_modules/@nestjs/$1`,
  ...nest11.moduleNameMapper,
};

/** `.ci/test` holds what belongs to no package: documents against code. */
export default {
  projects: [...[...projects.filter(isProject), 'docs/.vitepress', '.ci'].map(project), overFetch(), nest11],
  testSequencer: join(__dirname, '.ci/longest-first.mjs'),
  // Jest leaves a core free by itself, which is half of a machine with two.
  maxWorkers: '100%',
  // No test is about time: a machine that is busy with others is no failure.
  testTimeout: 30_000,
} satisfies Config;
