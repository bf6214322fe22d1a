import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Dependencies {
  name?: string;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

/**
 * Whether classes of a package may have decorators of class-validator or class-transformer. This is so if the
 * package depends on one of them. Its declaration files, the only files that can be read, do not show
 * decorators.
 */
export class ValidatorUse {
  /** Results per package, because one package of an SDK may have a thousand declaration files. */
  private readonly known = new Map<string, boolean>();

  of(declarationFile: string): boolean {
    return this.ofFolder(dirname(declarationFile));
  }

  private ofFolder(folder: string): boolean {
    let uses = this.known.get(folder);
    if (uses === undefined) this.known.set(folder, (uses = this.read(folder)));
    return uses;
  }

  private read(folder: string): boolean {
    const parent = dirname(folder);
    if (parent === folder) return false;
    const { name, dependencies, peerDependencies } = readPackage(folder);
    if (name === undefined) return this.ofFolder(parent);
    const used = { ...dependencies, ...peerDependencies };
    return 'class-validator' in used || 'class-transformer' in used;
  }
}

function readPackage(folder: string): Dependencies {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Dependencies;
  } catch {
    return {};
  }
}
