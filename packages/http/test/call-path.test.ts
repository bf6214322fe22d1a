import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Of a server of built packages: what one call that is not the first passes. `add` is async, `keep` takes a DTO. */
const { hops, add, keep } = JSON.parse(
  execFileSync(process.execPath, [join(__dirname, 'support/call-path.cjs')], { encoding: 'utf8' }),
) as Record<'hops' | 'add' | 'keep', string[]>;

const AUDIT = ['core/src/policies/audit/audit-calls.ts', 'ground/src/call/security/watched-audit-sink.ts'];
const besidesAudit = (files: readonly string[]) => files.filter((file) => !AUDIT.includes(file));

test('five files stand between the body of a call and its first guard', () => {
  expect(hops).toEqual([
    'http/src/node/node-exchange.ts',
    'http/src/endpoint/route-request.ts',
    'core/src/requests/serve.ts',
    'core/src/requests/methods/tools.ts',
    'core/src/policies/plan-chain.ts',
  ]);
});

test('the audit log is on, and its own files are not counted', () => {
  expect(add).toEqual(expect.arrayContaining(AUDIT));
});

test('a call of an async tool passes at most 34 files', () => {
  expect(besidesAudit(add).length).toBeLessThanOrEqual(34);
});

test('a call with a DTO passes at most 38 files', () => {
  expect(keep).toContain('json/src/classes/class-validator.ts');
  expect(besidesAudit(keep).length).toBeLessThanOrEqual(38);
});
