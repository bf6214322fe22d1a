import { AuditError } from '../errors/audit-error.js';
import { exportAudit } from '../read/export-audit.js';
import type { AuditCommand } from './audit-command.js';
import { filterOptions, parseFilter } from './parse-filter.js';
import { warnOfBreaks } from './warn-of-breaks.js';
import { runSafely } from './run-safely.js';

export const exportCommand: AuditCommand = {
  name: 'export',
  description: 'Print records for another program.',
  options: [...filterOptions, { flag: '--format <format>', description: 'jsonl (default) or csv' }],
  run(file, values, console) {
    return runSafely(console, async () => {
      const format = values['format'] ?? 'jsonl';
      if (format !== 'jsonl' && format !== 'csv') {
        throw new AuditError('TW_AUDIT_OPTIONS', '--format takes jsonl or csv.');
      }
      const breaks = warnOfBreaks(console);
      const filter = parseFilter(values, Date.now());
      for await (const line of exportAudit({ file, filter, format, onBroken: breaks.onBroken }))
        await console.out(line);
      return breaks.exitCode();
    });
  },
};
