import { currentAnchors } from '../read/current-anchors.js';
import { EXIT_OK, type AuditCommand } from './audit-command.js';
import { runSafely } from './run-safely.js';

export const anchorCommand: AuditCommand = {
  name: 'anchor',
  description:
    'Print signed statements of where the log stands, to keep elsewhere and give to verify --anchors.',
  options: [],
  run(file, _values, console) {
    return runSafely(console, async () => {
      await console.out(`${JSON.stringify(await currentAnchors(file), null, 2)}\n`);
      return EXIT_OK;
    });
  },
};
