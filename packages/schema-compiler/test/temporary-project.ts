import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const OPTIONS = {
  target: 'ES2022',
  module: 'nodenext',
  moduleResolution: 'nodenext',
  strict: true,
  experimentalDecorators: true,
  rootDir: 'src',
  outDir: 'dist',
  types: [],
};

/**
 * A project in its own folder, removed by `remove`. It has no dependencies; core is recognised by its
 * imports.
 */
export class TemporaryProject {
  readonly root = mkdtempSync(join(tmpdir(), 'toolwright-compiler-'));
  readonly project = join(this.root, 'tsconfig.json');

  constructor(files: Record<string, string>, options: object = {}) {
    const compilerOptions = { ...OPTIONS, ...options };
    this.write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['src'] }));
    this.write('package.json', JSON.stringify({ name: 'temporary' }));
    // The cache is in the nearest node_modules.
    mkdirSync(join(this.root, 'node_modules'), { recursive: true });
    for (const [name, text] of Object.entries(files)) this.write(name, text);
  }

  /** @returns the absolute path of the file */
  write(name: string, text: string): string {
    const file = join(this.root, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  delete(name: string): string {
    const file = join(this.root, name);
    rmSync(file);
    return file;
  }

  remove(): void {
    rmSync(this.root, { recursive: true });
  }
}
