import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const files = readdirSync(join(root, 'docs/adr')).filter((name) => /^\d/.test(name));
const statusOf = new Map(
  files.map((file) => {
    const page = readFileSync(join(root, 'docs/adr', file), 'utf8');
    return [file, /^Status: ([^]+?)\n\n/m.exec(page)?.[1] ?? ''] as const;
  }),
);

test('the index of decisions is what `pnpm decisions` writes', () => {
  const { status, stderr } = spawnSync('node', [join(root, '.ci/decisions.mjs'), '--check'], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
});

test.each([...statusOf])('%s says whether it holds, and no two pages have one number', (file, status) => {
  expect(status).toMatch(/^(accepted|superseded by \[(ADR \d+\]|[^\]]+\]\(\.\.\/))/);
  expect(files.filter((other) => other.slice(0, 4) === file.slice(0, 4))).toEqual([file]);
});

test('a status that links to another decision is answered by a link back', () => {
  const oneWay = [...statusOf].flatMap(([file, status]) =>
    [...status.matchAll(/\]\((\d{4}-[^)]+\.md)\)/g)]
      .map(([, other]) => other!)
      .filter((other) => !statusOf.get(other)?.includes(`](${file})`))
      .map((other) => `${other} must link to ${file} in its status`),
  );
  expect(oneWay).toEqual([]);
});
