import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { planOperations, type PlanOptions } from '../../src/model/plan-operations';
import { readSpecification } from '../../src/read/read-specification';
import { writeFiles } from '../../src/write/write-files';

const root = join(__dirname, '../../../..');
const tsc = join(root, 'packages/cli/node_modules/typescript-7/bin/tsc');
const compilerOptions = {
  target: 'ES2022',
  module: 'nodenext',
  noEmit: true,
  skipLibCheck: true,
  strict: true,
  rootDir: '.',
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  types: ['node'],
  noUnusedLocals: true,
  paths: { '@toolwright/openapi': [join(root, 'packages/openapi/dist/index.d.ts')] },
};

/** Writes what an import writes, and compiles it as an app does. The texts, and what the compiler says. */
export async function compileImport(
  document: object,
  options: PlanOptions = {},
): Promise<{ files: ReadonlyMap<string, string>; problems: string }> {
  const files = writeFiles(planOperations(await readSpecification(document), { include: ['*'], ...options }));
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-compile-'));
  try {
    writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }');
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['api'] }));
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(
      join(root, 'packages/openapi/node_modules/@toolwright'),
      join(folder, 'node_modules/@toolwright'),
    );
    symlinkSync(join(root, 'node_modules/@types'), join(folder, 'node_modules/@types'));
    mkdirSync(join(folder, 'api'));
    for (const [name, text] of files) writeFileSync(join(folder, 'api', name), text);
    const { stdout, stderr } = spawnSync(process.execPath, [tsc, '-p', '.'], {
      cwd: folder,
      encoding: 'utf8',
    });
    return { files, problems: stdout + stderr };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
