import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compilerOptions, ProjectFolder, repository } from './project-folder.js';

/** A project with our packages as npm installs them: copies of what is published, and no links to their sources. */
export class InstalledProject extends ProjectFolder {
  constructor(description: object) {
    super();
    this.write('package.json', JSON.stringify(description, null, 2));
    this.write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['src'] }));
    this.link('node_modules/@types/node', 'node_modules/@types/node');
    for (const name of ['core', 'manifest', 'stdio']) this.copy(name);
  }

  private copy(name: string): void {
    const from = join(repository, 'packages', name);
    for (const part of ['package.json', 'dist'])
      cpSync(join(from, part), this.path('node_modules/@toolwright', name, part), {
        recursive: true,
        filter: (path) => !/\.(map|tsbuildinfo)$/.test(path),
      });
    const { dependencies = {} } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')) as {
      dependencies?: Record<string, string>;
    };
    for (const [dependency, version] of Object.entries(dependencies))
      if (!version.startsWith('workspace:'))
        this.link(`node_modules/${dependency}`, `packages/${name}/node_modules/${dependency}`);
  }
}
