import type { Project } from '../src/program/open-project.js';
import { compiledPath } from '../src/emit/describe-class.js';
import { Reporter } from '../src/diagnostics/reporter.js';

// What follows works on texts only, so the rules of Windows hold for it on any system.
jest.mock('node:path', () => jest.requireActual<typeof import('node:path')>('node:path').win32);

const project = (options: object) => ({ options, root: 'C:\\app', program: {} }) as unknown as Project;

describe('On Windows, where the compiler writes C:/app and the system C:\\app,', () => {
  test('a manifest names sources from its own folder, with forward slashes', () => {
    const reporter = new Reporter('C:\\app');
    expect(reporter.relativePath('C:/app/src/tools/page-tools.ts')).toBe('src/tools/page-tools.ts');
    expect(reporter.relativePath('C:/shared/dto.ts')).toBe('../shared/dto.ts');
  });

  test('a drive is the same in capital and small letters', () => {
    expect(new Reporter('c:\\app').relativePath('C:/app/src/a.ts')).toBe('src/a.ts');
  });

  test('a manifest names the compiled file with forward slashes', () => {
    const options = { rootDir: 'C:/app/src', outDir: 'C:/app/dist' };
    expect(compiledPath('C:/app/src/tools/page-tools.ts', project(options))).toBe('dist/tools/page-tools.js');
    expect(compiledPath('C:/app/src/page-tools.mts', project({}))).toBe('src/page-tools.mjs');
  });
});
