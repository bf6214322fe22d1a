import { tailAudit } from '../read/tail-audit.js';
import { EXIT_OK, type AuditCommand } from './audit-command.js';
import { filterOptions, parseCount, parseFilter } from './parse-filter.js';
import { tableHeading, tableLine } from './record-table.js';
import { runSafely } from './run-safely.js';

export const tailCommand: AuditCommand = {
  name: 'tail',
  description: 'Print records as they are written, until stopped.',
  options: [
    ...filterOptions,
    { flag: '--last <count>', description: 'begin with so many earlier records (default 10)' },
    { flag: '--json', description: 'print one JSON record a line' },
  ],
  run(file, values, console) {
    return runSafely(console, async () => {
      const last = parseCount('last', values, 10);
      const filter = parseFilter(values, Date.now());
      if (!values['json']) await console.out(tableHeading);
      for await (const record of tailAudit({ file, filter, last, signal: console.signal })) {
        await console.out(values['json'] ? `${JSON.stringify(record)}\n` : tableLine(record));
      }
      return EXIT_OK;
    });
  },
};
