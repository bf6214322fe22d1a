import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { detectTampering } from './detect-tampering.js';
import { measureCost } from './measure-cost.js';
import { surviveKills } from './survive-kills.js';

/**
 * Everything about the log that depends on time or load. It prints figures, and exits with 1 if a limit is
 * missed.
 */
async function main(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'toolwright-audit-soak-'));
  try {
    const bars = [
      await measureCost(join(directory, 'cost/audit.jsonl')),
      await detectTampering(join(directory, 'tampering'), 10_000),
      await surviveKills(join(directory, 'kills/audit.jsonl'), 100),
    ];
    process.exitCode = bars.every(Boolean) ? 0 : 1;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

void main();
