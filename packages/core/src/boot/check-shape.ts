import 'reflect-metadata';
import { shapeOf, type ManifestEntry, type MethodShape } from '@toolwright/manifest';
import type { ConfigurationProblem } from '../errors/configuration-error.js';
import { BUILD } from './build-hint.js';
import type { ClassEntry } from './loaded-manifest.js';
import { problemAt } from './problem.js';
import type { DecoratedMethod, Service } from './service.js';

/** Reports a manifest that was compiled from another version of the class than the one that is running. */
export function checkShape(service: Service, match: ClassEntry): ConfigurationProblem | undefined {
  const { definition, entries, manifest } = match;
  const shapes = service.operations.map((operation) => methodShape(service, operation, match));
  const actual = shapeOf(definition.name, shapes);
  if (entries.every(({ shape }) => shape === actual)) return undefined;
  return problemAt(service.site, 'TW_MANIFEST_STALE', {
    message: `${manifest.source} describes another version of ${service.name}: ${differences(shapes, match)}.`,
    fix: BUILD,
  });
}

function methodShape({ target }: Service, operation: DecoratedMethod, match: ClassEntry): MethodShape {
  const { method, static: isStatic } = operation;
  const holder = (isStatic ? target : target.prototype) as Record<string, { length: number } | undefined>;
  const emitted = Reflect.getMetadata('design:paramtypes', holder, method) as readonly unknown[] | undefined;
  const required = holder[method]?.length ?? 0;
  const expected = match.entry(operation)?.parameters.length;
  // `length` stops at the first default, and is 0 for methods that another decorator wrapped: it only refutes.
  const arity = emitted?.length ?? (expected !== undefined && required <= expected ? expected : required);
  return { method, static: isStatic, arity };
}

function differences(shapes: readonly MethodShape[], match: ClassEntry): string {
  const found = shapes.flatMap((shape) => {
    const entry = match.entry(shape);
    if (!entry) return [`${shape.method} is not in it`];
    const { length } = entry.parameters;
    return length === shape.arity ? [] : [`${shape.method} takes ${shape.arity} parameters, not ${length}`];
  });
  const gone = match.entries
    .filter((entry) => !isDecorated(shapes, entry))
    .map(({ method }) => `${method} is no longer decorated`);
  return [...found, ...gone].join('; ') || 'its methods differ';
}

function isDecorated(shapes: readonly MethodShape[], entry: ManifestEntry): boolean {
  return shapes.some(
    ({ method, static: isStatic }) =>
      method === entry.method && (isStatic ?? false) === (entry.static ?? false),
  );
}
