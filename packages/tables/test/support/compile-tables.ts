import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toolwright } from '../../../cli/test/support/recording-terminal';

const root = join(__dirname, '../../../..');
const tsc = join(root, 'packages/cli/node_modules/typescript-7/bin/tsc');
const compilerOptions = {
  target: 'ES2022',
  module: 'nodenext',
  skipLibCheck: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  rootDir: '.',
  outDir: 'dist',
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  types: ['node'],
  noUnusedLocals: true,
  paths: { '@toolwright/tables': [join(root, 'packages/tables/dist/index.d.ts')] },
};

/** A tool as the build sees it. */
export interface SeenTool {
  readonly name: string;
  readonly input: Record<string, any>;
  readonly output: Record<string, any> | null;
  readonly diagnostics: readonly { severity?: string; message: string }[];
}

/** A project in a folder of its own, as an app has one, in which the texts of an import are compiled and built. */
export class TablesProject {
  readonly folder = mkdtempSync(join(tmpdir(), 'toolwright-tables-'));

  constructor(files?: ReadonlyMap<string, string>) {
    writeFileSync(join(this.folder, 'package.json'), '{ "type": "commonjs" }');
    writeFileSync(join(this.folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
    mkdirSync(join(this.folder, 'node_modules'));
    symlinkSync(
      join(root, 'packages/tables/node_modules/@toolwright'),
      join(this.folder, 'node_modules/@toolwright'),
    );
    symlinkSync(join(root, 'node_modules/@types'), join(this.folder, 'node_modules/@types'));
    if (!files) return;
    mkdirSync(join(this.folder, 'src/shop'), { recursive: true });
    for (const [name, text] of files) writeFileSync(join(this.folder, 'src/shop', name), text);
  }

  /** What the compiler says. */
  compile(): string {
    const { stdout, stderr } = spawnSync(process.execPath, [tsc, '-p', '.'], {
      cwd: this.folder,
      encoding: 'utf8',
    });
    return stdout + stderr;
  }

  /** What the build makes of the tools. */
  async inspect(): Promise<readonly SeenTool[]> {
    const { stdout } = await toolwright(`inspect --json --project ${join(this.folder, 'tsconfig.json')}`);
    return JSON.parse(stdout) as SeenTool[];
  }

  /** Writes the manifest that a server boots with, and gives its path. */
  async build(): Promise<string> {
    const manifest = join(this.folder, 'mcp.manifest.json');
    const { code, stderr } = await toolwright(
      `build --project ${join(this.folder, 'tsconfig.json')} --out ${manifest}`,
    );
    expect({ code, stderr }).toMatchObject({ code: 0 });
    return manifest;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
