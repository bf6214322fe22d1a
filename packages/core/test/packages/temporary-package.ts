import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { formatManifest, type Manifest } from '@toolwright/manifest';

/** A package on disk that exists during a test. */
export class TemporaryPackage {
  readonly directory = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-')));

  constructor(files: Record<string, string>, manifest?: Manifest) {
    this.write('package.json', JSON.stringify({ name: 'temporary' }));
    for (const [path, content] of Object.entries(files)) this.write(path, content);
    if (manifest) this.write('mcp.manifest.json', formatManifest(manifest));
  }

  path(path: string): string {
    return join(this.directory, path);
  }

  write(path: string, content: string): void {
    mkdirSync(dirname(this.path(path)), { recursive: true });
    writeFileSync(this.path(path), content);
  }

  /** The exports of one of its modules. Decorators are compiled when it is loaded. */
  load(path: string): Record<string, never> {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- as an application would
    return require(this.path(path)) as Record<string, never>;
  }

  remove(): void {
    rmSync(this.directory, { recursive: true });
  }
}
