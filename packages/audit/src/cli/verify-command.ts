import { readFile } from 'node:fs/promises';
import type { SignedStatement } from '../chain/statement.js';
import { AuditError } from '../errors/audit-error.js';
import { verifyAudit } from '../read/verify/verify-audit.js';
import type { VerifyReport } from '../read/verify/verify-report.js';
import { EXIT_OK, EXIT_PROBLEMS, type AuditCommand } from './audit-command.js';
import { progressBar } from './progress-bar.js';
import { printable } from './record-table.js';
import { runSafely } from './run-safely.js';

export const verifyCommand: AuditCommand = {
  name: 'verify',
  description:
    'Check every byte of the log: hashes, links, signatures, completeness. Exits with 1 on any problem.',
  options: [
    { flag: '--public-key <file>', description: 'PEM file with the key to trust, kept away from the log' },
    {
      flag: '--anchors <file>',
      description: 'JSON array of checkpoints kept elsewhere that the log must contain',
    },
    { flag: '--json', description: 'print the report as JSON' },
  ],
  run(file, values, console) {
    return runSafely(console, async () => {
      const bar = progressBar(console);
      const publicKey = await readOption(values['publicKey']);
      const anchors = parseAnchors(await readOption(values['anchors']));
      const report = await verifyAudit({ file, publicKey, anchors, onProgress: bar.show }).finally(bar.end);
      await console.out(values['json'] ? `${JSON.stringify(report, null, 2)}\n` : describe(report));
      return report.ok ? EXIT_OK : EXIT_PROBLEMS;
    });
  },
};

async function readOption(path: string | boolean | undefined): Promise<string | undefined> {
  return typeof path === 'string' ? readFile(path, 'utf8') : undefined;
}

function parseAnchors(text: string | undefined): SignedStatement[] {
  if (text === undefined) return [];
  try {
    const anchors = JSON.parse(text) as unknown;
    if (Array.isArray(anchors)) return anchors as SignedStatement[];
  } catch {
    // Told below, with what was expected.
  }
  throw new AuditError('TW_AUDIT_OPTIONS', '--anchors takes a file with a JSON array of checkpoints.');
}

function describe({ ok, records, bytes, trust, writers, problems, notes }: VerifyReport): string {
  const size = `${records} records, ${(bytes / 1024 / 1024).toFixed(1)} MiB, ${writers.length} writer(s)`;
  const lines = [ok ? `OK: ${size}` : `NOT OK: ${problems.length} problem(s) in ${size}`];
  for (const { kind, message, file, offset, batch } of problems) {
    const at = offset === undefined ? '' : ` at byte ${offset}, batch ${batch}`;
    lines.push(`  ${kind}: ${printable(message)} (${file}${at})`);
  }
  for (const { writer, unvouched } of writers.filter((report) => report.unvouched > 0)) {
    lines.push(`  note: ${unvouched} batch(es) of writer ${writer} came after its last signed head`);
  }
  lines.push(...notes.map((note) => `  note: ${printable(note)}`));
  if (trust === 'beside the log') {
    lines.push('  note: checked against the public key beside the log; --public-key proves more');
  }
  return `${lines.join('\n')}\n`;
}
