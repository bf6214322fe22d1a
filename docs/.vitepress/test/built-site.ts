import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const script = join(__dirname, '../site.mjs');

/** The site, built into a folder of its own and served on loopback by the commands that people use. */
export interface BuiltSite {
  folder: string;
  url: string;
  remove(): Promise<void>;
}

export async function buildSite(): Promise<BuiltSite> {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-site-'));
  execFileSync(process.execPath, [script, 'build', folder], { stdio: 'pipe' });
  const server = spawn(process.execPath, [script, 'serve', folder], {
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(server.stdout!), 'line')) as [string];
  return {
    folder,
    url: line.replace('site listening on ', ''),
    remove: async () => {
      server.kill();
      await once(server, 'exit');
      rmSync(folder, { recursive: true });
    },
  };
}
