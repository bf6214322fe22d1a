import { queryAudit } from '../read/query-audit.js';
import { EXIT_OK, type AuditCommand } from './audit-command.js';
import { filterOptions, parseCount, parseFilter } from './parse-filter.js';
import { tableHeading, tableLine } from './record-table.js';
import { warnOfBreaks } from './warn-of-breaks.js';
import { runSafely } from './run-safely.js';

export const queryCommand: AuditCommand = {
  name: 'query',
  description: 'Find records.',
  options: [
    ...filterOptions,
    { flag: '--limit <count>', description: 'at most so many' },
    { flag: '--json', description: 'print one JSON record per line' },
  ],
  run(file, values, console) {
    return runSafely(console, async () => {
      let left = parseCount('limit', values, Infinity);
      const breaks = warnOfBreaks(console);
      const filter = parseFilter(values, Date.now());
      if (!values['json']) await console.out(tableHeading);
      if (left === 0) return EXIT_OK;
      for await (const record of queryAudit({ file, filter, onBroken: breaks.onBroken })) {
        await console.out(values['json'] ? `${JSON.stringify(record)}\n` : tableLine(record));
        left -= 1;
        if (left === 0) break;
      }
      return breaks.exitCode();
    });
  },
};
