import { spawn } from 'node:child_process';
import { join } from 'node:path';

const fixtures = join(__dirname, 'fixtures');

/** Runs a server's worth of writers on the log, and kills it with SIGKILL after so many acknowledgements. */
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
  // The last line may be cut; what counts is what the process got to say in full.
  return output.split('\n').slice(0, -1);
}
