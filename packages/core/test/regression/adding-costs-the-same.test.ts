import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

type Bytes = Record<'tools' | 'resources' | 'resourceTemplates', number>;

/** Memory stands for work: what searches all operations allocates for each of them, and bytes do not depend on load. */
function measure(): { few: Bytes; many: Bytes } {
  const child = join(__dirname, '../support/added-operations-memory.cjs');
  const flags = ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=64'];
  return JSON.parse(execFileSync(process.execPath, [...flags, child], { encoding: 'utf8' })) as never;
}

test('adding an operation takes the same beside four thousand others as beside ten', () => {
  const { few, many } = measure();
  for (const kind of ['tools', 'resources', 'resourceTemplates'] as const) {
    expect(many[kind]).toBeGreaterThan(0);
    expect(many[kind]).toBeLessThanOrEqual(1.5 * few[kind]);
  }
});
