import { AppFolder } from './support/app-folder.js';
import { runners } from './support/matrix.js';

const jestProgram = 'node_modules/jest/bin/jest.js';

interface Run {
  name: string;
  type: 'commonjs' | 'module';
  words: string[];
  env?: Record<string, string>;
}

const runs: Run[] = [
  {
    name: runners.vitest.name,
    type: 'module',
    words: ['node_modules/vitest/vitest.mjs', 'run', '--reporter=verbose'],
  },
  { name: runners.jest.name, type: 'commonjs', words: [jestProgram, '--ci'] },
  { name: `${runners.jest.name}, in a package of ES modules`, type: 'module', words: [jestProgram, '--ci'] },
  {
    name: runners.jestModules.name,
    type: 'module',
    words: ['--experimental-vm-modules', jestProgram, '--ci'],
    env: { JEST: 'esm' },
  },
];

test.each(runs)(
  '$name serves the sources without a build, and has the matchers',
  async ({ type, ...command }) => {
    const folder = new AppFolder({ type, runners: true });
    try {
      const printed = await folder.run(command);
      expect(printed).toMatch(/✓.*the services of the sources are served without a build/);
      expect(printed).toMatch(/✓.*the matchers are there/);
    } finally {
      folder.remove();
    }
  },
);
