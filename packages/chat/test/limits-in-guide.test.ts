import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chatLimits } from '../src/chat-limits.js';

test('the guide has each limit', () => {
  const guide = readFileSync(join(__dirname, '../../../docs/chat.md'), 'utf8');
  const [, table = ''] = /^## Limits\n([^]*?)\n\n[A-Z]/m.exec(guide) ?? [];
  const numbers = [...table.matchAll(/\| ([\d,]+)(?: ms)? +\|$/gm)].map(([, number]) =>
    Number(number!.replaceAll(',', '')),
  );
  expect(numbers).toEqual(Object.values(chatLimits));
});
