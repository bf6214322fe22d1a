import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPrivateFile } from './private-file.js';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'private-file-'));
  writeFileSync(join(path, 'tokens.json'), '{}', { mode: 0o600 });
  return path;
}

test('a private file is read, and a missing one is nothing', () => {
  const path = folder();
  expect(readPrivateFile(join(path, 'tokens.json'))).toBe('{}');
  expect(readPrivateFile(join(path, 'other.json'))).toBeUndefined();
});

test('what cannot be read is said in words', () => {
  const path = join(folder(), 'tokens.json', 'more');
  expect(() => readPrivateFile(path)).toThrow(`${path} cannot be used: ENOTDIR: not a directory (open).`);
});

test('a link is not followed', () => {
  const path = folder();
  symlinkSync(join(path, 'tokens.json'), join(path, 'link.json'));
  expect(() => readPrivateFile(join(path, 'link.json'))).toThrow(
    'link.json is a link, so it is not trusted.',
  );
});
