import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { ProjectFolder } from '../../../cli/test/support/project-folder.js';
import { onPosix } from '../../../../.ci/test/support/on-platforms.js';

const room = new ProjectFolder();
const main = join(__dirname, '../../bin/create-toolwright.js');

afterAll(() => room.remove());

// Windows has no signals that a script could send.
onPosix('Ctrl+C while packages are installed leaves the app, and the command says how to go on', () => {
  // The terminal sends the signal to both: to the package manager, and to the command that waits for it.
  room.write('pressed/npm', '#!/bin/sh\nkill -INT $PPID\nkill -INT $$\n');
  chmodSync(room.path('pressed/npm'), 0o755);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [main, 'stopped app', '--name', 'stopped', '--yes'],
    {
      cwd: room.folder,
      encoding: 'utf8',
      env: { PATH: `${room.path('pressed')}:${process.env['PATH']}` },
    },
  );
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toBe(
    'Getting the dependencies: npm install\n\n"npm install" was stopped. The files of the app are written. Go on with:\n\n  cd "stopped app"\n  npm install\n  npm run test\n\nOr remove the folder, and begin again.\n',
  );
  expect(room.has('stopped app/package.json')).toBe(true);
});
