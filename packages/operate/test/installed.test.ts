import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { brought, bytesIn, descriptionOf } from '../../../.ci/test/support/brought.js';
import { SmallProject } from '../../cli/test/support/small-project.js';

const packages = join(__dirname, '../..');
const bin = join(packages, 'operate/bin/toolwright-operate.js');

/** What npm unpacks: for our packages the files that are published, for others all of their files. */
function bytesOf(folder: string): number {
  if (!folder.startsWith(packages)) return bytesIn(folder);
  const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return (JSON.parse(output.slice(output.indexOf('['))) as [{ unpackedSize: number }])[0].unpackedSize;
}

test('it brings less than 5 MB beside core, and no compiler', () => {
  const core = brought(join(packages, 'core'));
  const beside = [...brought(join(packages, 'operate'))].filter((folder) => !core.has(folder));
  expect(beside.map((folder) => descriptionOf(folder).name).sort()).toEqual([
    '@toolwright/audit',
    '@toolwright/http',
    '@toolwright/operate',
    'commander',
    'jose',
    'jsonc-parser',
  ]);
  const bytes = beside.map(bytesOf).reduce((sum, each) => sum + each);
  expect(bytes).toBeGreaterThan(100_000);
  expect(bytes).toBeLessThan(5_000_000);
});

describe('in a project', () => {
  let project: SmallProject;
  beforeAll(() => {
    project = new SmallProject({
      'package.json': { name: 'reports', private: true },
      'dist/create-server.js': `
        const { createMcpServer } = require('@toolwright/core');
        const { systemClock } = require('@toolwright/core/ports');
        const { MemoryTaskQueue } = require('@toolwright/testing');
        class Queue extends MemoryTaskQueue {
          work(worker) { setImmediate(() => process.kill(process.pid, 'SIGTERM')); return super.work(worker); }
        }
        exports.createServer = () => createMcpServer({
          name: 'reports', version: '1.0.0', services: [],
          stores: { tasks: new Queue(systemClock) }, secrets: ['a secret of at least 32 characters'],
        });`,
      'spy.cjs': `
        process.on('exit', () => {
          const loaded = Object.keys(require.cache).filter((path) => /[\\\\/](typescript|schema-compiler)[\\\\/]/.test(path));
          process.stderr.write('COMPILER ' + JSON.stringify(loaded) + '\\n');
        });`,
    });
  });
  afterAll(() => project.remove());

  const operate = (...words: string[]) =>
    spawnSync(process.execPath, ['--require', './spy.cjs', bin, ...words], {
      cwd: project.folder,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] },
    });

  test.each([
    [['--help'], 0, /worker.*\n.*tasks.*\n.*keys.*\n.*grants.*\n.*subject.*\n.*audit/],
    [['worker'], 0, /working on tasks, 10 at a time/],
    [['tasks', '--help'], 0, /Usage: toolwright-operate tasks <list\|show/],
    [['audit', '--help'], 0, /Usage: toolwright-operate audit.*[^]*verify/],
    [['audit', 'verify', 'none.jsonl'], 2, /no audit log at none.jsonl/],
  ])('%j loads no TypeScript', (words, code, said) => {
    const { status, stdout, stderr } = operate(...words);
    expect(stdout + stderr).toMatch(said);
    expect(stderr).toContain('COMPILER []');
    expect(status).toBe(code);
  });
});
