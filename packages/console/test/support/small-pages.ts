import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pages } from '../../src/serve/pages.js';

/** The files of a page that is not built: what its server has to know of the real one. */
export function smallPages(): { pages: Pages; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'console-pages-'));
  mkdirSync(join(folder, 'web/assets'), { recursive: true });
  const html =
    '<base href="__BASE__/"><meta nonce="__NONCE__"><script nonce="__NONCE__" src="assets/a.js"></script>';
  writeFileSync(join(folder, 'web/index.html'), html);
  writeFileSync(join(folder, 'web/assets/a.js'), '1');
  writeFileSync(join(folder, 'secret.js'), 'secret');
  return { pages: new Pages(join(folder, 'web')), remove: () => rmSync(folder, { recursive: true }) };
}
