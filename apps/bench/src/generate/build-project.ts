import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';

const command = join(dirname(require.resolve('@toolwright/cli/package.json')), 'bin', 'toolwright.js');

/**
 * The first command of a build, in the folder of a project.
 *
 * @param compiler the file of `tsc`; default: that of version 5
 */
export function runTsc(folder: string, compiler = require.resolve('typescript/bin/tsc')): void {
  run(folder, compiler, ['-p', 'tsconfig.json']);
}

/** The second one. It needs what the first one wrote. */
export function runToolwrightBuild(folder: string): void {
  run(folder, command, ['build', '--project', 'tsconfig.json', '--out', 'mcp.manifest.json']);
}

function run(cwd: string, script: string, args: string[]): void {
  execFileSync(process.execPath, [script, ...args], { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}
