import { readFile, realpath } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { SignedStatement } from '../chain/statement.js';
import { AuditError } from '../errors/audit-error.js';
import { verifyLogs } from '../read/verify/verify-logs.js';
import type { AuditVerdict, VerifyReport } from '../read/verify/verify-report.js';
import {
  type AuditCommand,
  type CommandConsole,
  EXIT_OK,
  EXIT_PROBLEMS,
  EXIT_UNTRUSTED,
  filesOf,
  runSafely,
} from './audit-command.js';
import { printable, printableJson } from './record-table.js';

export const verifyCommand: AuditCommand = {
  name: 'verify',
  description:
    'Check every byte of the log: hashes, links, numbers, signatures, completeness. Exits with 1 on any problem, and with 3 where nothing shows who wrote the log: give --public-key.',
  options: [
    {
      flag: '--public-key <file>',
      description: 'PEM file with the key to trust, from outside of the folder of the log',
    },
    {
      flag: '--anchors <file>',
      description: 'JSON array of checkpoints kept elsewhere that the log must contain',
    },
    { flag: '--json', description: 'print the report as JSON' },
  ],
  run(logs, values, console) {
    return runSafely(console, async () => {
      const files = filesOf(
        logs,
        'a table has no hashes. Verify the logs, and compare the table with them (compareAudit)',
      );
      const anchors = parseAnchors(await readOption(values['anchors']));
      const bar = progressBar(console);
      const publicKeyOf = (file: string) => readTrustedKey(values['publicKey'], file);
      const { verdict, reports, missing } = await verifyLogs({
        files,
        anchors,
        publicKeyOf,
        onProgress: bar.show,
      }).finally(bar.end);
      const [{ file: _, ...only }, ...others] = reports as [(typeof reports)[number]];
      if (values['json']) await console.out(`${printableJson(others.length === 0 ? only : reports, 2)}\n`);
      else
        for (const { file, ...report } of reports)
          await console.out(`${others.length > 0 ? `${printable(file)}: ` : ''}${describe(report)}`);
      for (const text of missing) console.err(`${printable(text)}\n`);
      return exitCodes[verdict];
    });
  },
};

const exitCodes: Readonly<Record<AuditVerdict, number>> = {
  genuine: EXIT_OK,
  broken: EXIT_PROBLEMS,
  consistent: EXIT_UNTRUSTED,
};

/**
 * A key in the folder of the log proves nothing: somebody who could change the log could also change the key.
 */
async function readTrustedKey(path: string | boolean | undefined, file: string): Promise<string | undefined> {
  const text = await readOption(path);
  if (text === undefined) return undefined;
  const [key, folder] = await Promise.all([realpath(path as string), realpath(dirname(resolve(file)))]);
  return dirname(key) === folder ? undefined : text;
}

async function readOption(path: string | boolean | undefined): Promise<string | undefined> {
  if (typeof path !== 'string') return undefined;
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new AuditError('TW_AUDIT_OPTIONS', `${path} cannot be read: ${error.message}.`);
  });
}

function parseAnchors(text: string | undefined): SignedStatement[] {
  if (text === undefined) return [];
  try {
    const anchors = JSON.parse(text) as unknown;
    if (Array.isArray(anchors) && anchors.every(isStatement)) return anchors;
  } catch {
    // The error is reported below, with what was expected.
  }
  throw new AuditError('TW_AUDIT_OPTIONS', '--anchors takes a file with a JSON array of checkpoints.');
}

function isStatement(value: unknown): value is SignedStatement {
  const { writer, batch, hash } = (value ?? {}) as Partial<SignedStatement>;
  return typeof writer === 'string' && Number.isSafeInteger(batch) && typeof hash === 'string';
}

const headings: Readonly<Record<AuditVerdict, string>> = {
  genuine: 'OK',
  consistent: 'CONSISTENT WITH ITSELF',
  broken: 'NOT OK',
};

function describe({ verdict, records, bytes, trust, writers, problems, notes }: VerifyReport): string {
  const size = `${records} records, ${(bytes / 1024 / 1024).toFixed(1)} MiB, ${writers.length} writer(s)`;
  const found = verdict === 'broken' ? `${problems.length} problem(s) in ${size}` : size;
  const lines = [`${headings[verdict]}: ${found}`];
  for (const { kind, message, file, offset, batch } of problems) {
    const at = offset === undefined ? '' : ` at byte ${offset}, batch ${batch}`;
    lines.push(`  ${kind}: ${printable(message)} (${file}${at})`);
  }
  for (const { writer, unvouched } of writers.filter((report) => report.unvouched > 0)) {
    lines.push(`  note: ${unvouched} batch(es) of writer ${writer} came after its last signed head`);
  }
  lines.push(...notes.map((note) => `  note: ${printable(note)}`));
  if (trust === 'beside the log') {
    lines.push(
      '  note: nothing shows who wrote it. Somebody who can write into its folder could have made all of it, keys included.',
      '  note: give --public-key a file from outside of the folder',
    );
  }
  return `${lines.join('\n')}\n`;
}

/** A smaller file is read before a bar could be seen. */
const WORTH_SHOWING_BYTES = 64 * 1024 * 1024;
const WIDTH = 30;

interface ProgressBar {
  show(done: number, total: number): void;
  /** Clears the line. */
  end(): void;
}

/** Shows a bar on the error stream for large files, if the stream is a terminal. */
function progressBar(console: CommandConsole): ProgressBar {
  let shown = false;
  return {
    show(done, total) {
      if (!console.status || total < WORTH_SHOWING_BYTES) return;
      shown = true;
      const part = done / total;
      const bar = '█'.repeat(Math.round(part * WIDTH)).padEnd(WIDTH, '░');
      console.status(`${bar} ${Math.floor(part * 100)} % of ${Math.round(total / 1024 / 1024)} MiB`);
    },
    end() {
      if (shown) console.status?.('');
    },
  };
}
