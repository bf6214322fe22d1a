import type { Constraint, Passes } from '@toolwright/json';
import { ts } from '../generator/tjs-adapter.js';
import { foldConstant, foldWritten } from '../defaults/fold-constant.js';
import { type FoundDecorator, type PackageSymbols, findDecorators } from '../discover/package-symbols.js';
import type { SchemaRole } from '../types/members.js';
import { type HiddenPattern, hiddenPatterns, readArguments, readCondition } from './read-options.js';
import { declarationsAbove, declarationsOf } from './base-classes.js';
import type { DecoratorScanner } from './scan-decorator.js';

/** A constraint, and the place where it is written. */
export interface WrittenConstraint extends Constraint {
  /** The name in the source: `IsString`. */
  readonly written: string;
  readonly node: ts.Decorator;
}

/** What the decorators of one property say, as far as it can be read from the source. */
export interface PropertyDecorators {
  constraints: WrittenConstraint[];
  optional: boolean;
  /** The values that pass all checks, because a `@ValidateIf` names exactly these. */
  passes?: Passes;
  /** The constraints depend on a condition that is known only at run time. */
  conditional?: ts.Decorator;
  /** Something that no schema can express, so plainToInstance and validate must run. */
  full: boolean;
  /** Only the metadata at run time contains all constraints. */
  opaque: boolean;
  /** Checks that a schema cannot express, each with a description. */
  unsaid: { node: ts.Decorator; what: string }[];
  /** Regular expressions that the schema does not contain. */
  patterns: HiddenPattern[];
  /** `@Sensitive()` */
  sensitive: boolean;
  /** `@Transform` for arguments. */
  transform?: FoundDecorator;
  /** `@Type`, which tells class-transformer the class. */
  typed?: FoundDecorator;
  /** `@Schema` */
  schema?: FoundDecorator;
  expose?: {
    name?: string;
    direction: TransformDirection;
    /** Only for groups. The server transforms without any. */
    grouped?: ts.Decorator;
  };
  exclude?: TransformDirection;
}

/** `both` unless `toClassOnly` or `toPlainOnly` narrow it. */
export type TransformDirection = 'both' | SchemaRole;

/** Decorators whose arguments are always code. A schema could not express them. */
const CODE_ARGUMENTS = new Set(['IsInstance', 'ArrayUnique', 'MinDate', 'MaxDate']);

/** Decorators of the author's own checks. */
const CUSTOM = new Set(['Validate', 'ValidateBy', 'ValidatePromise']);

/** Where to read decorators. */
export interface Source {
  readonly checker: ts.TypeChecker;
  readonly symbols: PackageSymbols;
  readonly scanner: DecoratorScanner;
}

/**
 * Reads the decorators of a property from its declarations. A mapped type keeps those of the class that it
 * maps. If a class declares a property again without checks, the checks of its base apply. If both have
 * checks, only class-validator itself knows which ones apply to which class.
 */
export function readPropertyDecorators(property: ts.Symbol, source: Source): PropertyDecorators {
  const found: PropertyDecorators = {
    constraints: [],
    optional: false,
    full: false,
    opaque: false,
    unsaid: [],
    patterns: [],
    sensitive: false,
  };
  for (const declaration of declarationsOf(property, source.checker)) {
    if (source.scanner.isHidden(declaration)) found.opaque = true;
    for (const decorator of findDecorators(declaration, source.symbols))
      readDecorator(decorator, source, found);
  }
  const isChecked = hasChecks(found);
  for (const declaration of declarationsAbove(property, source.checker)) {
    if (source.scanner.isHidden(declaration)) found.opaque = true;
    const above = findDecorators(declaration, source.symbols);
    const ofCore = above.filter(({ package: owner }) => owner === '@toolwright/core');
    if (isChecked && above.length > ofCore.length) found.opaque = found.full = true;
    const { schema } = found;
    for (const decorator of isChecked ? ofCore : above) readDecorator(decorator, source, found);
    if (schema) found.schema = schema;
  }
  return found;
}

/** Whether class-validator or class-transformer has something to do with a property. */
export function hasChecks({ constraints, optional, conditional, full, opaque }: PropertyDecorators): boolean {
  return constraints.length > 0 || optional || conditional !== undefined || full || opaque;
}

function readDecorator(decorator: FoundDecorator, source: Source, found: PropertyDecorators): void {
  const { package: owner, name, node } = decorator;
  if (owner === 'class-validator') readValidator(decorator, source.checker, found);
  else if (owner === 'class-transformer') readTransformer(decorator, source.checker, found);
  else if (owner === '@toolwright/core') {
    if (name === 'Sensitive') found.sensitive = true;
    // `@Schema` on a parameter belongs to the signature.
    if (name === 'Schema' && ts.isPropertyDeclaration(node.parent)) found.schema = decorator;
  } else if (owner === undefined) {
    const { matters, isCustom } = source.scanner.scan(node);
    if (matters) found.opaque = true;
    if (isCustom) found.unsaid.push({ node, what: 'checks or changes values with its own code' });
  }
}

function readValidator(decorator: FoundDecorator, checker: ts.TypeChecker, found: PropertyDecorators): void {
  const { name, node } = decorator;
  const { own, options, isOpaque } = readArguments(decorator.arguments, checker);
  if (isOpaque) {
    found.opaque = true;
    if (name !== 'IsOptional')
      found.unsaid.push({ node, what: 'has options that are known only at run time' });
    return;
  }
  if (name === 'IsOptional') {
    found.optional = true;
    return;
  }
  if (name === 'ValidateIf') return readConditional(decorator, found);
  if (CUSTOM.has(name)) {
    found.full = true;
    found.unsaid.push({ node, what: 'checks or changes values with its own code' });
    return;
  }
  const values = own.map((argument) => foldConstant(argument, checker));
  found.patterns.push(...hiddenPatterns(decorator, values));
  if (options.has('validateIf')) {
    found.full = true;
    found.unsaid.push({ node, what: 'applies only under a condition' });
    return;
  }
  if (!CODE_ARGUMENTS.has(name) && values.some((value) => !value)) {
    found.opaque = true;
    return;
  }
  // An argument that is code is kept as a function: `ArrayUnique((item) => item.id)`.
  const evaluated = values.map((value) => (value ? value.value : () => undefined));
  const each = options.has('each');
  found.constraints.push({ name: name.toLowerCase(), written: name, arguments: evaluated, each, node });
}

function readConditional({ node, arguments: [condition] }: FoundDecorator, found: PropertyDecorators): void {
  const owner = node.parent as ts.PropertyDeclaration;
  const passes = readCondition(condition, owner.name.getText());
  found.full = true;
  if (passes === undefined || found.passes !== undefined) found.conditional = node;
  else found.passes = passes;
}

function readTransformer(
  decorator: FoundDecorator,
  checker: ts.TypeChecker,
  found: PropertyDecorators,
): void {
  const last = decorator.arguments.at(-1);
  const options = (last && (foldWritten(last, checker)?.value as Record<string, unknown> | undefined)) ?? {};
  switch (decorator.name) {
    case 'Type':
      found.typed = decorator;
      if (decorator.arguments.length > 1) found.full = true;
      return;
    case 'Expose':
      found.full = true;
      // Decorators run from the last to the first, and class-transformer keeps what it hears last.
      found.expose ??= {
        ...(typeof options.name === 'string' ? { name: options.name } : {}),
        direction: directionOf(options),
        ...(Array.isArray(options.groups) && options.groups.length > 0 && { grouped: decorator.node }),
      };
      return;
    case 'Exclude':
      found.full = true;
      found.exclude ??= directionOf(options);
      return;
    case 'Transform':
      found.full = true;
      if (directionOf(options) !== 'output') found.transform = decorator;
      return;
    default:
      found.full = true;
  }
}

/** The direction in which an `@Expose` or `@Exclude` works. */
export function directionOf(options: Record<string, unknown>): TransformDirection {
  if (options.toClassOnly === true) return 'input';
  return options.toPlainOnly === true ? 'output' : 'both';
}
