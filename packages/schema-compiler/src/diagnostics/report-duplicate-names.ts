import type { CompiledOperation } from '../compiled-project.js';
import { makeDiagnostic } from './diagnostic.js';

/** Tells every tool after the first that its name is taken; both stay in what is compiled. */
export function reportDuplicateNames(operations: CompiledOperation[]): void {
  const owners = new Map<string, CompiledOperation>();
  for (const operation of operations) {
    if (!operation.kinds.includes('tool')) continue;
    const owner = owners.get(operation.publishedName);
    if (!owner) {
      owners.set(operation.publishedName, operation);
      continue;
    }
    if (isSamePlace(owner, operation)) continue;
    const detail = `${operation.publishedName} is also the name of ${owner.key}.`;
    operation.diagnostics.push(makeDiagnostic('TW_SCHEMA_DUPLICATE_NAME', operation.location, detail));
  }
}

/** A method that two classes inherit: a server has one of them, the other serves as a base. */
function isSamePlace(a: CompiledOperation, b: CompiledOperation): boolean {
  return a.location.file === b.location.file && a.location.line === b.location.line;
}
