import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Of a server of built packages: what one call that is not the first passes. */
const { files, hops } = JSON.parse(
  execFileSync(process.execPath, [join(__dirname, 'support/call-path.cjs')], { encoding: 'utf8' }),
) as { files: string[]; hops: string[] };

test('five files stand between the body of a call and its first guard', () => {
  expect(hops).toEqual([
    'http/src/node/node-exchange.ts',
    'http/src/endpoint/route-request.ts',
    'core/src/requests/serve.ts',
    'core/src/requests/methods/tools.ts',
    'core/src/policies/plan-chain.ts',
  ]);
});

test('a call passes at most 40 files', () => {
  expect(files).toContain('core/src/policies/audit/audit-calls.ts');
  expect(files.length).toBeLessThanOrEqual(40);
});
