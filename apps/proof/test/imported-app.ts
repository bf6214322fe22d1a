import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ImportReport } from '../../../packages/openapi/src/report/import-report.js';

const root = join(__dirname, '../../..');
const toolwright = join(root, 'packages/cli/bin/toolwright.js');
const tsc = join(root, 'node_modules/typescript/bin/tsc');

/** What `npm create toolwright` writes, and stricter where the compiler can be. */
const compilerOptions = {
  target: 'ES2022',
  module: 'nodenext',
  rootDir: 'src',
  outDir: 'dist',
  skipLibCheck: true,
  strict: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  noImplicitOverride: true,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  types: ['node'],
};

/** An app whose services were imported from a specification, as a person does it: import, compile, build. */
export class ImportedApp {
  readonly manifest: string;
  /** How much time of the processor the import took, and how much memory, at most. */
  cost = { seconds: 0, megabytes: 0 };

  private constructor(readonly folder: string) {
    this.manifest = join(folder, 'mcp.manifest.json');
  }

  static create(): ImportedApp {
    const folder = mkdtempSync(join(tmpdir(), 'toolwright-imported-'));
    const json = (name: string, value: object) => writeFileSync(join(folder, name), JSON.stringify(value));
    json('package.json', { name: 'imported', version: '1.0.0', type: 'commonjs' });
    json('tsconfig.json', { compilerOptions, include: ['src'] });
    writeFileSync(join(folder, 'memory.cjs'), MEMORY);
    mkdirSync(join(folder, 'src'));
    symlinkSync(join(__dirname, '../node_modules'), join(folder, 'node_modules'));
    return new ImportedApp(folder);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }

  import(file: string): ImportReport {
    const memory = join(this.folder, 'memory');
    this.run([
      '-r',
      './memory.cjs',
      toolwright,
      'import',
      'openapi',
      file,
      '--out',
      'src/api',
      '--report',
      'report.json',
      '--yes',
    ]);
    const used = JSON.parse(readFileSync(memory, 'utf8')) as NodeJS.ResourceUsage;
    const seconds = (used.userCPUTime + used.systemCPUTime) / 1e6;
    this.cost = { seconds, megabytes: Math.ceil(used.maxRSS / 1_024) };
    return JSON.parse(readFileSync(join(this.folder, 'report.json'), 'utf8')) as ImportReport;
  }

  build(): void {
    this.run([tsc, '-p', '.']);
    this.run([toolwright, 'build', '--project', 'tsconfig.json', '--out', 'mcp.manifest.json']);
  }

  /** The exports of the folder's index. */
  load(): { services: []; providers: [] } {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- it was just written
    return require(join(this.folder, 'dist/api/index.js')) as { services: []; providers: [] };
  }

  private run(args: string[]): void {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: this.folder,
      encoding: 'utf8',
    });
    if (status !== 0)
      throw new Error(`${args.join(' ')} ended with ${status}:\n${(stdout + stderr).slice(0, 4_000)}`);
  }
}

const MEMORY =
  "process.on('exit', () => require('node:fs').writeFileSync('memory', JSON.stringify(process.resourceUsage())));\n";
