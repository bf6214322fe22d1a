import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { compilerOptions, ProjectFolder, repository } from './project-folder.js';

const tsconfig = {
  compilerOptions: { ...compilerOptions, typeRoots: [join(repository, 'node_modules/@types')] },
  include: ['src'],
};

/** A copy of the desk app that can be edited, as a separate project. */
export class DevProject extends ProjectFolder {
  constructor() {
    super();
    cpSync(join(repository, 'packages/cli/test/fixtures/desk'), this.folder, { recursive: true });
    this.write('tsconfig.json', JSON.stringify(tsconfig));
    this.link('node_modules', 'packages/cli/node_modules');
  }
}
