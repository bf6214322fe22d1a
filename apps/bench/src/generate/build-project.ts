import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';

const command = join(dirname(require.resolve('@toolwright/cli/package.json')), 'bin', 'toolwright.js');

/** The first command of a build, in the folder of a project. */
export function runTsc(folder: string): void {
  run(folder, require.resolve('typescript/bin/tsc'), ['-p', 'tsconfig.json']);
}

/** The second one. It needs what the first one wrote. */
export function runToolwrightBuild(folder: string): void {
  run(folder, command, ['build', '--project', 'tsconfig.json', '--out', 'mcp.manifest.json']);
}

function run(cwd: string, script: string, args: string[]): void {
  execFileSync(process.execPath, [script, ...args], { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}
