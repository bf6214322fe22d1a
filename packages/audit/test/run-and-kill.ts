import { spawn } from 'node:child_process';
import { join } from 'node:path';

const fixtures = join(__dirname, 'fixtures');

/**
 * Runs writers on the log, as many as a server has, and kills them with SIGKILL after this many
 * acknowledgements.
 */
export async function runAndKill(
  file: string,
  { writers, afterAcks }: { writers: number; afterAcks: number },
): Promise<string[]> {
  const argv = [
    '-r',
    join(fixtures, 'register-source.cjs'),
    join(fixtures, 'load.ts'),
    file,
    String(writers),
  ];
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  let acknowledged = 0;
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
    acknowledged += chunk.split('\n').length - 1;
    if (acknowledged >= afterAcks) child.kill('SIGKILL');
  });
  await new Promise((resolve) => child.on('close', resolve));
  // The last line may be cut, so only complete lines count.
  return output.split('\n').slice(0, -1);
}
