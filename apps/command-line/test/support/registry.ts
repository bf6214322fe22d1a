import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { dependencyClosure } from './dependency-closure.js';
import { describeForRegistry } from './describe-for-registry.js';

const workspace = join(__dirname, '../../../..');
const packages = join(workspace, 'packages');
const thisApp = join(__dirname, '../..');

/**
 * A real registry on loopback, which asks no other: it holds our packages as a release publishes them, and what they
 * and new apps depend on as it is installed here.
 */
export class Registry {
  private constructor(
    readonly url: string,
    private readonly process: ChildProcess,
    private readonly folder: string,
  ) {}

  /** @param names the folders of our packages that are wanted, and with them those that they need; default: all */
  static async start(names?: readonly string[]): Promise<Registry> {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'registry-')));
    const child = spawn(process.execPath, [join(__dirname, 'start-registry.mjs'), join(folder, 'storage')], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const [url] = (await once(createInterface(child.stdout), 'line')) as [string];
    const registry = new Registry(url, child, folder);
    try {
      const ours = foldersOf(names);
      registry.publishWorkspace(ours);
      await registry.publishInstalled(ours);
      return registry;
    } catch (error) {
      await registry.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    this.process.stdin!.end();
    await once(this.process, 'exit');
    rmSync(this.folder, { recursive: true });
  }

  /** Packs our packages as a release does, and publishes them. */
  private publishWorkspace(folders: readonly string[]): void {
    const userConfig = join(this.folder, 'npmrc');
    // The client wants a token; the registry asks for none.
    writeFileSync(userConfig, `registry=${this.url}\n${this.url.replace('http:', '')}:_authToken=none\n`);
    const filters = folders.flatMap((folder) => ['--filter', `./packages/${basename(folder)}`]);
    const words = ['-r', '--no-sort', ...filters, 'publish', '--no-git-checks'];
    const { status, stdout, stderr } = spawnSync('pnpm', words, {
      cwd: workspace,
      env: { PATH: process.env['PATH'], HOME: this.folder, npm_config_userconfig: userConfig },
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    if (status !== 0) throw new Error(`The packages were not published:\n${stdout}${stderr}`);
  }

  private async publishInstalled(ours: readonly string[]): Promise<void> {
    for (const installed of dependencyClosure([...ours, thisApp])) {
      const body = JSON.stringify(describeForRegistry(installed, this.url));
      const headers = { 'content-type': 'application/json' };
      const path = encodeURIComponent(installed.manifest.name);
      const { ok, status } = await fetch(`${this.url}${path}`, { method: 'PUT', headers, body });
      if (!ok) throw new Error(`The registry refuses ${installed.directory}: ${status}`);
    }
  }
}

/** The folders of our packages, or of some of them and of all that these need. */
function foldersOf(names: readonly string[] | undefined): string[] {
  const all = readdirSync(packages).map((name) => join(packages, name));
  if (names === undefined) return all;
  const wanted = names.map((name) => join(packages, name));
  const needed = dependencyClosure(wanted).map(({ directory }) => directory);
  return all.filter((folder) => wanted.includes(folder) || needed.includes(folder));
}
