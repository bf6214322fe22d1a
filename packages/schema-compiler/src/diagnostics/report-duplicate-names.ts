import type { CompiledOperation } from '../compiled-project.js';
import { makeDiagnostic } from './diagnostic.js';

/**
 * Reports every tool whose name a tool of another class already has. Both stay in the result, because perhaps
 * no server has both classes. Two equal names within one class are reported elsewhere, because no server
 * could start with that class.
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

/**
 * Two classes inherit the same method. A server then has one of the classes, and the other one is a base
 * class.
 */
function isSamePlace(a: CompiledOperation, b: CompiledOperation): boolean {
  return a.location.file === b.location.file && a.location.line === b.location.line;
}
