import Sequencer from '@jest/test-sequencer';

/**
 * The test files that take longest, in this order, by a part of their path. Jest knows how long a file took when it ran
 * before on this machine. On a new clone it goes by the size of files, and a short one may build a whole site.
 */
const longest = [
  'packages/create-toolwright/test/create-app',
  'docs/.vitepress/test/site',
  'apps/command-line/test/new-app',
  'apps/conformance/test/ways',
  'apps/toolchains/test/bundlers',
  'apps/runtimes/test/official-suite',
  'apps/guides/test/',
  'apps/fleet/test/',
  'apps/command-line/test/',
  'packages/cli/test/documented-commands',
  'packages/cli/test/dev',
  'packages/cli/test/migrate',
  'packages/cli/test/regression/typical-mistakes',
  'packages/identity/test/stored-grants',
  'packages/identity/test/doctor-and-clients',
  'apps/conformance/test/',
  'apps/toolchains/test/',
  'apps/bench/test/',
  'apps/pages/test/',
  'packages/cli/test/',
  '.ci/test/',
  'packages/postgres/test/',
  'packages/schema-compiler/test/',
  'packages/views/test/',
  '-pane',
];

/** Begins with the test files that need the most time, so that none of them runs alone at the end. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const known = super.sort(tests);
    if (known.some(({ duration }) => duration !== undefined)) return known;
    const places = new Map(known.map((test) => [test, place(test.path)]));
    return known.sort((one, other) => places.get(one) - places.get(other));
  }
}

function place(path) {
  const at = longest.findIndex((part) => path.includes(part));
  return at < 0 ? longest.length : at;
}
