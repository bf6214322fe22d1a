import type { Manifest } from '@toolwright/manifest';
import { formatChange } from '../src/changes/file-change.js';
import { decideStep } from '../src/dev/decide-step.js';
import { formatProblem } from '../src/dev/problem.js';
import { SourceStacks } from '../src/dev/source-stacks.js';

// What follows works on texts only, so the rules of Windows hold for it on any system.
jest.mock('node:path', () => jest.requireActual<typeof import('node:path')>('node:path').win32);

const terminal = { cwd: 'C:\\app', colours: false };

test('problems and differences name files with forward slashes', () => {
  const problem = {
    file: 'C:/app/src/a.ts',
    line: 1,
    column: 2,
    severity: 'error',
    code: 'TS1',
    message: 'no',
  };
  expect(formatProblem(problem as never, terminal)).toMatch(/^src\/a\.ts:1:2: error TS1: no/);
  const lines = formatChange({ path: 'C:\\app\\src\\a.ts', before: 'a\n', after: 'b\n' }, terminal);
  expect(lines).toEqual(expect.arrayContaining(['--- src/a.ts', '+++ src/a.ts']));
});

test('a stack of the app names the file of the project', () => {
  const stacks = new SourceStacks('C:\\app');
  expect(stacks.inSources('Error: no\n    at run (C:\\app\\src\\a.mts:3:7)')).toContain(
    'at run (src/a.mts:3:7)',
  );
  expect(stacks.inSources('    at D:\\other\\a.mts:3:7')).toContain('D:\\other\\a.mts:3:7');
});

test('a service is replaced in the module that Node.js knows', () => {
  const manifest = (description: string) =>
    ({
      classes: {
        'src/a.ts#A': {
          name: 'A',
          location: { file: 'src/a.ts', line: 1, column: 1 },
          module: { path: 'dist/a.js', export: 'A' },
        },
      },
      entries: [{ class: 'src/a.ts#A', input: 'i', output: null, description }],
      schemas: {},
    }) as unknown as Manifest;
  const reload = [{ source: 'C:/app/src/a.ts', module: 'C:/app/dist/a.js' }];
  const step = decideStep({
    directory: 'C:\\app',
    before: manifest('one'),
    after: manifest('two'),
    checked: { reload, entry: { source: 'C:/app/src/main.ts', module: 'C:/app/dist/main.js' } },
  });
  expect(step).toMatchObject({
    do: 'swap',
    modules: ['C:\\app\\dist\\a.js'],
    services: [{ module: 'C:\\app\\dist\\a.js', export: 'A' }],
  });
});
