import { ts } from 'typescript-json-schema';
import { foldConstant } from '../defaults/fold-constant.js';
import { findDecorators, type FoundDecorator } from '../discover/find-decorators.js';
import type { PackageSymbols } from '../discover/package-symbols.js';
import type { Role } from '../types/role.js';
import type { Constraint } from './constraint.js';
import { hiddenPatterns, type HiddenPattern } from './hidden-patterns.js';

/** What the decorators of one property say, as far as the source can tell. */
export interface PropertyDecorators {
  constraints: Constraint[];
  optional: boolean;
  /** Constraints hold only under a condition known at run time. */
  conditional: boolean;
  /** `@Transform`, `groups`, a discriminator: plainToInstance and validate must run. */
  full: boolean;
  /** An argument that is code, or a decorator nobody here knows: only the run-time metadata can tell. */
  opaque: boolean;
  /** Regular expressions that the schema does not show. */
  patterns: HiddenPattern[];
  /** `@Sensitive()` */
  sensitive: boolean;
  expose?: { name?: string; direction: Direction };
  exclude?: Direction;
}

/** `both` unless `toClassOnly` or `toPlainOnly` narrow it. */
export type Direction = 'both' | Role;

/** What class-validator's own options are called: an object with one of these is not an argument of the check. */
const OPTION_NAMES = new Set(['message', 'each', 'groups', 'always', 'context']);

/** Decorators whose arguments are code by nature and say nothing a schema could. */
const CODE_ARGUMENTS = new Set(['IsInstance', 'ArrayUnique', 'MinDate', 'MaxDate']);

/** Reads the decorators of a property from its declarations; a mapped type keeps those of the class it maps. */
export function readPropertyDecorators(
  property: ts.Symbol,
  checker: ts.TypeChecker,
  symbols: PackageSymbols,
): PropertyDecorators {
  const found: PropertyDecorators = {
    constraints: [],
    optional: false,
    conditional: false,
    full: false,
    opaque: false,
    patterns: [],
    sensitive: false,
  };
  for (const declaration of property.declarations ?? []) {
    for (const decorator of findDecorators(declaration, symbols)) readDecorator(decorator, checker, found);
  }
  return found;
}

function readDecorator(decorator: FoundDecorator, checker: ts.TypeChecker, found: PropertyDecorators): void {
  if (decorator.package === 'class-validator') readValidator(decorator, checker, found);
  else if (decorator.package === 'class-transformer') readTransformer(decorator, checker, found);
  else if (decorator.package === undefined) found.opaque = true;
  else if (decorator.package === '@toolwright/core' && decorator.name === 'Sensitive') found.sensitive = true;
}

function readValidator(decorator: FoundDecorator, checker: ts.TypeChecker, found: PropertyDecorators): void {
  const { name } = decorator;
  if (name === 'IsOptional') found.optional = true;
  if (name === 'ValidateIf') {
    found.conditional = found.full = true;
    return;
  }
  if (name === 'Validate' || name === 'ValidateBy' || name === 'ValidatePromise') {
    found.full = true;
    return;
  }
  const { own, options } = splitOptions(decorator.arguments);
  const values = own.map((argument) => foldConstant(argument, checker));
  found.patterns.push(...hiddenPatterns(decorator, values));
  if (options.has('groups')) found.full = true;
  else if (!CODE_ARGUMENTS.has(name) && values.some((value) => !value)) found.opaque = true;
  else {
    // An argument that is code stays visible as a function: `ArrayUnique((item) => item.id)`.
    const evaluated = values.map((value) => (value ? value.value : () => undefined));
    found.constraints.push({ name, arguments: evaluated, each: options.has('each') });
  }
}

/** Reads the options name by name: a `message` among them may well be a function. */
function splitOptions(written: readonly ts.Expression[]): {
  own: readonly ts.Expression[];
  options: Set<string>;
} {
  const last = written.at(-1);
  if (!last || !ts.isObjectLiteralExpression(last)) return { own: written, options: new Set() };
  const names = last.properties.filter(isSwitchedOn).map((property) => property.name?.getText() ?? '');
  return names.some((name) => OPTION_NAMES.has(name))
    ? { own: written.slice(0, -1), options: new Set(names) }
    : { own: written, options: new Set() };
}

function isSwitchedOn(property: ts.ObjectLiteralElementLike): boolean {
  return !ts.isPropertyAssignment(property) || property.initializer.kind !== ts.SyntaxKind.FalseKeyword;
}

function readTransformer(
  decorator: FoundDecorator,
  checker: ts.TypeChecker,
  found: PropertyDecorators,
): void {
  const last = decorator.arguments.at(-1);
  const options = (last && (foldConstant(last, checker)?.value as Record<string, unknown> | undefined)) ?? {};
  switch (decorator.name) {
    case 'Type':
      if (decorator.arguments.length > 1) found.full = true;
      return;
    case 'Expose':
      found.full = true;
      found.expose = {
        ...(typeof options.name === 'string' ? { name: options.name } : {}),
        direction: directionOf(options),
      };
      return;
    case 'Exclude':
      found.full = true;
      found.exclude = directionOf(options);
      return;
    default:
      found.full = true;
  }
}

/** Which way an `@Expose` or `@Exclude` works. */
export function directionOf(options: Record<string, unknown>): Direction {
  if (options.toClassOnly === true) return 'input';
  return options.toPlainOnly === true ? 'output' : 'both';
}
