import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Dependencies {
  name?: string;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

/**
 * Whether classes of a package may carry class-validator's or class-transformer's decorators: it depends on one of them.
 * Its declaration files, which is all there is to see of it, have no decorators.
 */
export function usesValidators(declarationFile: string): boolean {
  for (let at = dirname(declarationFile); dirname(at) !== at; at = dirname(at)) {
    const { name, dependencies, peerDependencies } = readPackage(at);
    if (name === undefined) continue;
    const used = { ...dependencies, ...peerDependencies };
    return 'class-validator' in used || 'class-transformer' in used;
  }
  return false;
}

function readPackage(folder: string): Dependencies {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Dependencies;
  } catch {
    return {};
  }
}
