import type { CompiledOperation } from '../compiled-project.js';
import { makeDiagnostic } from './diagnostic.js';

/**
 * Tells every tool of another class than the first that its name is taken; both stay in what is compiled. It may be that
 * no server has both classes. Within one class it is what keeps the class from being served, and told as that.
 */
export function reportDuplicateNames(operations: CompiledOperation[]): CompiledOperation[] {
  const owners = new Map<string, CompiledOperation>();
  return operations.map((operation) => {
    if (!operation.kinds.includes('tool')) return operation;
    const owner = owners.get(operation.publishedName);
    if (!owner) owners.set(operation.publishedName, operation);
    if (!owner || owner.classKey === operation.classKey || isSamePlace(owner, operation)) return operation;
    const detail = `${operation.publishedName} is also the name of ${owner.key}.`;
    const diagnostic = makeDiagnostic('TW_SCHEMA_DUPLICATE_NAME', operation.location, detail);
    return { ...operation, diagnostics: [...operation.diagnostics, diagnostic] };
  });
}

/** A method that two classes inherit: a server has one of them, the other serves as a base. */
function isSamePlace(a: CompiledOperation, b: CompiledOperation): boolean {
  return a.location.file === b.location.file && a.location.line === b.location.line;
}
