import { tailAudit } from '../read/tail-audit.js';
import type { AuditCommand } from './audit-command.js';
import { filterOptions, parseCount, parseFilter } from './parse-filter.js';
import { tableHeading, tableLine } from './record-table.js';
import { warnOfBreaks } from './warn-of-breaks.js';
import { runSafely } from './run-safely.js';

export const tailCommand: AuditCommand = {
  name: 'tail',
  description: 'Print records as they are written, until stopped.',
  options: [
    ...filterOptions,
    { flag: '--last <count>', description: 'begin with this many earlier records (default 10)' },
    { flag: '--json', description: 'print one JSON record per line' },
  ],
  run(file, values, console) {
    return runSafely(console, async () => {
      const last = parseCount('last', values, 10);
      const { onBroken, exitCode } = warnOfBreaks(console);
      const filter = parseFilter(values, Date.now());
      if (!values['json']) await console.out(tableHeading);
      for await (const record of tailAudit({ file, filter, last, signal: console.signal, onBroken })) {
        await console.out(values['json'] ? `${JSON.stringify(record)}\n` : tableLine(record));
      }
      return exitCode();
    });
  },
};
