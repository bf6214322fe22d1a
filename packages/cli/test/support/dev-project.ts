import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const repository = join(__dirname, '../../../..');

const tsconfig = {
  compilerOptions: {
    target: 'ES2022',
    module: 'nodenext',
    strict: true,
    skipLibCheck: true,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    rootDir: 'src',
    outDir: 'dist',
    typeRoots: [join(repository, 'node_modules/@types')],
    types: ['node'],
  },
  include: ['src'],
};

/** The desk, copied to where it can be edited, as a project of its own. */
export class DevProject {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-dev-')));

  constructor() {
    cpSync(join(repository, 'packages/cli/test/fixtures/desk'), this.folder, { recursive: true });
    this.write('tsconfig.json', JSON.stringify(tsconfig));
    symlinkSync(join(repository, 'packages/cli/node_modules'), join(this.folder, 'node_modules'), 'dir');
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), 'utf8');
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text);
  }

  /** @throws when `before` does not occur: the test would edit nothing */
  edit(file: string, before: string, after: string): void {
    const text = this.read(file);
    if (!text.includes(before)) throw new Error(`${file} has no ${before}`);
    this.write(file, text.replace(before, after));
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}
