import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

// It loads parts of core by path, so moving them breaks it, and no compiler notices.
test('the comparison with class-validator runs', () => {
  const program = join(__dirname, '../dist/validation/main.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, '20'], { encoding: 'utf8' });

  expect(stderr).toBe('');
  expect(status).toBe(0);
  expect(stdout.match(/schema \+ instances +[\d,]+\/s +[\d.]+x/g)).toHaveLength(2);
});
