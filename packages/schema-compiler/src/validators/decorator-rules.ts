import {
  annotationsOf,
  constrainSchema,
  digestRules,
  getOrMake,
  type JsonSchema,
  type Passes,
  type PropertyRule,
} from '@toolwright/json';
import { classId } from '@toolwright/manifest';
import { type Definition, ts } from '../generator/tjs-adapter.js';
import { type Folded, foldWritten } from '../defaults/fold-constant.js';
import { toJsonDefault } from '../defaults/apply-default.js';
import { isWrapped } from '../docs/accessed-members.js';
import type { Reporter } from '../diagnostics/reporter.js';
import { fitsSchema } from '../generator/value-problems.js';
import { type PackageSymbols, findDecorators } from '../discover/package-symbols.js';
import { qualifiedName } from '../emit/describe-class.js';
import { DecoratorScanner } from './scan-decorator.js';
import { isLibraryType } from '../types/classify-type.js';
import { type SchemaRole, initialiserOf, baseOf } from '../types/members.js';
import { findNestedProblem, isMap, isRevivedLate, isUnlikeDate } from './declared-values.js';
import { type Discriminator, readDiscriminator } from './discriminators.js';
import { HiddenBases, isMadeRequired, isMapped, isOnlyNamed } from './base-classes.js';
import type { HiddenPattern } from './read-options.js';
import { needsFullValidation } from './needs-full-validation.js';
import { transformPreservesType, trimmed, trims } from './transform-preserves-type.js';
import type { KnownOfProperty, PropertyRules, Resolve, RuleProblem } from './property-rules.js';
import {
  directionOf,
  hasChecks,
  readPropertyDecorators,
  type TransformDirection,
  type PropertyDecorators,
  type WrittenConstraint,
} from './read-property-decorators.js';
import { decoratorProblems } from './decorator-problems.js';

/** How much of the check of a class is left at run time after the schema has accepted a value. */
export type Validation = 'skip' | 'residual' | 'full';

/** What is left to check at run time, and whether the source showed all rules. */
export interface ClassValidation {
  readonly validation: Validation;
  readonly mergeRuntime: boolean;
  /** For `skip`: `digestRules` of the rules in the source. */
  readonly rules?: string;
}

/** The decorators of class-validator and class-transformer, as read from the source. */
export class DecoratorRules implements PropertyRules {
  private readonly decorators = new Map<ts.Symbol, PropertyDecorators>();
  private readonly inexactProperties = new Set<ts.Symbol | ts.Declaration>();
  /** The properties with a rule of class-validator that no schema has. */
  private readonly unsayable = new Set<ts.Symbol | ts.Declaration>();
  private readonly demanded = new Set<ts.Symbol>();
  /** The properties whose checks narrowed a schema. */
  private readonly applied = new Set<ts.Symbol | ts.Declaration>();
  private readonly hiddenBases: HiddenBases;
  readonly scanner: DecoratorScanner;

  constructor(
    readonly checker: ts.TypeChecker,
    readonly symbols: PackageSymbols,
    private readonly reporter: Reporter,
  ) {
    this.scanner = new DecoratorScanner(checker, symbols);
    this.hiddenBases = new HiddenBases(checker, this.scanner);
  }

  jsonName(property: ts.Symbol, role: SchemaRole): string | undefined {
    const { expose, exclude } = this.of(property);
    if (exclude && concerns(exclude, role)) return undefined;
    const isExposed = expose && concerns(expose.direction, role);
    if (!isExposed && this.isClassExcluded(property, role)) return undefined;
    // In arguments, class-transformer looks for groups by the name in the class alone.
    if (expose?.grouped && (role === 'output' || expose.name === undefined)) return undefined;
    return expose?.name !== undefined && (isExposed || role === 'output') ? expose.name : property.getName();
  }

  checkLeftOut(property: ts.Symbol, role: SchemaRole): void {
    const { expose, exclude, constraints, optional, conditional, passes } = this.of(property);
    if (expose?.grouped && exclude === undefined) {
      const detail = `@Expose with groups leaves ${property.getName()} out: the server transforms without groups.`;
      this.reporter.report('TW_SCHEMA_UNPUBLISHED', detail, expose.grouped);
    }
    if (role === 'output' || optional || conditional || passes || initialiserOf(property)) return;
    const demand = constraints.find(
      (constraint) => constrainSchema({}, { constraints: [constraint] }, (part) => part).demanded,
    );
    if (!demand) return;
    const detail = `class-transformer leaves ${property.getName()} out of arguments, and @${demand.written} refuses each call without it.`;
    this.reporter.report('TW_SCHEMA_DECORATOR_TYPE', detail, demand.node);
  }

  isExposed(property: ts.Symbol): boolean {
    return this.of(property).expose !== undefined;
  }

  isOptional(property: ts.Symbol): boolean {
    if (isMadeRequired(property, this.checker)) return false;
    const { optional, conditional, passes } = this.of(property);
    return optional || conditional !== undefined || passes === 'missing' || passes === 'both';
  }

  classOfOpen(property: ts.Symbol): ts.Type | undefined {
    const [written] = this.of(property).typed?.arguments ?? [];
    if (!written || !ts.isArrowFunction(written) || ts.isBlock(written.body)) return undefined;
    const type = this.checker.getTypeAtLocation(written.body).getConstructSignatures()[0]?.getReturnType();
    const declaration = type?.getSymbol()?.valueDeclaration;
    return declaration && ts.isClassLike(declaration) && !isLibraryType(type!) ? type : undefined;
  }

  isDemanded(property: ts.Symbol): boolean {
    return this.demanded.has(property);
  }

  apply(
    property: ts.Symbol,
    definition: Definition,
    { role, resolve }: { role: SchemaRole; resolve: Resolve },
  ): Definition {
    const decorators = this.of(property);
    if (decorators.sensitive) definition['x-sensitive'] = true;
    if (role === 'output' || isWrapped(property)) return definition;
    this.applied.add(declared(property));
    this.announce(property, decorators);
    const { conditional, transform, passes, optional } = decorators;
    const said = this.readSchema(decorators);
    if (said && transform) return { ...annotationsOf(definition as JsonSchema), ...said } as Definition;
    if (conditional) return said ? { ...definition, ...said } : definition;
    const isPartial = isMapped(property) && !!(property.flags & ts.SymbolFlags.Optional);
    // Nobody knows what a transformation returns for null.
    const lenient: Passes | undefined =
      optional || isPartial ? 'both' : (passes ?? (transform ? 'null' : undefined));
    const { constraints } = decorators;
    const found = constrainSchema(
      definition as JsonSchema,
      { constraints, passes: lenient, isMap: isMap(property, this.checker) },
      resolve as never,
    );
    if (found.demanded) this.demanded.add(property);
    if (isUnlikeDate(property, decorators, this.checker)) this.inexactProperties.add(declared(property));
    for (const { constraint, fit } of found.lacking) {
      this.inexactProperties.add(declared(property));
      if (fit !== 'rough' && fit !== 'none') continue;
      this.unsayable.add(property.declarations?.[0] ?? property);
      this.tellLack(constraint as WrittenConstraint, fit, said);
    }
    const published = transform && trims(transform.arguments[0]) ? trimmed(found.schema) : found.schema;
    return { ...published, ...said } as Definition;
  }

  noteInitial(
    property: ts.Symbol,
    definition: Definition,
    { folded, resolve }: { folded: Folded | undefined; resolve: Resolve },
  ): void {
    if (this.of(property).constraints.length === 0) return;
    const value = folded && toJsonDefault(folded.value);
    // A default that is computed at run time is checked at run time.
    if (!folded || needsFullValidation(value, definition)) this.inexactProperties.add(declared(property));
    const isRefused = folded && (value === undefined || !fitsSchema(value, definition, resolve));
    if (!isRefused) this.demanded.delete(property);
  }

  /** class-validator has to see the JSON value. The value of the declared type is created afterwards. */
  isLate(property: ts.Symbol): boolean {
    return isRevivedLate(property, this.of(property), this.checker);
  }

  /** `@Type` tells class-transformer the class of a property's values. */
  isTyped(property: ts.Symbol): boolean {
    return this.of(property).typed !== undefined;
  }

  discriminatorOf(property: ts.Symbol): Discriminator | undefined {
    const { typed } = this.of(property);
    return typed && readDiscriminator(typed, this.checker);
  }

  mergedClass(type: ts.Type): string | undefined {
    const declaration = type.getSymbol()?.valueDeclaration;
    if (!declaration || !ts.isClassLike(declaration)) return undefined;
    const { isDeclarationFile, fileName } = declaration.getSourceFile();
    const isMerged = isDeclarationFile
      ? !isLibraryType(type) && this.scanner.validatorUse.of(fileName)
      : this.isUnseen(type, declaration);
    const name = isMerged ? qualifiedName(declaration) : undefined;
    return name && classId(this.reporter.relativePath(fileName), name);
  }

  heldBy(property: ts.Symbol): string[] {
    const { sensitive, constraints, schema } = this.of(property);
    const limits = constraints.filter((constraint) => {
      const found = constrainSchema({}, { constraints: [{ ...constraint, each: false }] }, (part) => part);
      return Object.keys(found.schema).some((keyword) => keyword !== 'type');
    });
    return [
      ...(sensitive ? ['Sensitive'] : []),
      ...(schema ? ['Schema'] : []),
      ...limits.map(({ written }) => written),
    ];
  }

  isLeftBehind(property: ts.Symbol, holder?: ts.Type): boolean {
    const { opaque, conditional, unsaid, schema } = this.of(property);
    const isUnsaid =
      conditional || unsaid.length > 0 || this.unsayable.has(property.declarations?.[0] ?? property);
    if (!(opaque || (isUnsaid && !schema)) || isOnlyNamed(property, this.checker)) return false;
    const declaration = holder?.getSymbol()?.valueDeclaration;
    if (!declaration || !ts.isClassLike(declaration)) return true;
    const own = property.valueDeclaration;
    if (own?.parent === declaration && ts.canHaveDecorators(own) && ts.getDecorators(own)) return false;
    const base = baseOf(declaration);
    return !base || !this.checker.getPropertyOfType(this.checker.getTypeAtLocation(base), property.name);
  }

  problems(property: ts.Symbol, definition: Definition, known: KnownOfProperty): RuleProblem[] {
    return decoratorProblems(property, this.of(property), { definition, checker: this.checker, ...known });
  }

  /**
   * What is left for class-validator and class-transformer in a class. Call this after its schema was
   * created.
   */
  validationOf(type: ts.Type, declaration: ts.ClassLikeDeclaration): ClassValidation {
    const properties = fieldsOf(type, this.checker);
    const read = properties.map((property) => this.of(property));
    const mergeRuntime = this.isUnseen(type, declaration);
    if (mergeRuntime || read.some(({ full }) => full)) return { validation: 'full', mergeRuntime };
    const inexact = properties.some((property) => this.inexactProperties.has(declared(property)));
    // A rule for a property that is not in the schema, such as a private one, is in no schema either.
    const hidden = properties.some(
      (property) => hasRules(this.of(property)) && !this.applied.has(declared(property)),
    );
    if (inexact || hidden) return { validation: 'residual', mergeRuntime };
    const rules = digestRules(properties.flatMap((property) => rulesOf(property, this.of(property))));
    return { validation: 'skip', mergeRuntime, ...(rules && { rules }) };
  }

  /** The regular expressions that class-validator uses for the properties and that no schema contains. */
  patternsOf(type: ts.Type): HiddenPattern[] {
    return fieldsOf(type, this.checker).flatMap((property) => this.of(property).patterns);
  }

  /** Whether class-transformer changes how instances of the class are written. */
  isTransformed(type: ts.Type): boolean {
    return fieldsOf(type, this.checker).some((property) => this.of(property).full);
  }

  /** Whether the source does not show all rules of a class. */
  private isUnseen(type: ts.Type, declaration: ts.ClassLikeDeclaration): boolean {
    return (
      this.hiddenBases.of(declaration) ||
      this.checker.getPropertiesOfType(type).some((property) => {
        const found = this.of(property);
        // PartialType and similar functions copy the constraints, and add some.
        return found.opaque || (isMapped(property) && hasChecks(found));
      })
    );
  }

  /** `@Schema` on the property: the JSON form of the value, or the rules of the author's own check. */
  private readSchema({ schema }: PropertyDecorators): JsonSchema | undefined {
    const [given] = schema?.arguments ?? [];
    if (!given) return undefined;
    const folded = foldWritten(given, this.checker);
    if (folded && typeof folded.value === 'object' && folded.value !== null)
      return toJsonDefault(folded.value) as JsonSchema;
    this.reporter.report('TW_SCHEMA_NOT_CONSTANT', 'The argument of @Schema is not a constant.', given);
    return undefined;
  }

  /** Reports the checks that clients cannot read in the schema. */
  private announce(property: ts.Symbol, decorators: PropertyDecorators): void {
    const { unsaid, schema, conditional, transform, constraints } = decorators;
    const nested = constraints.find(({ written }) => written === 'ValidateNested');
    const problem = nested && findNestedProblem(property, decorators, this.checker);
    if (problem) {
      this.inexactProperties.add(declared(property));
      if (problem === 'refused')
        this.reporter.report('TW_SCHEMA_NESTED', 'class-validator refuses its values.', nested.node);
    }
    if (schema) return;
    for (const { node, what } of unsaid)
      this.reporter.report('TW_SCHEMA_UNPUBLISHED', `${nameOf(node)} ${what}.`, node);
    if (conditional) {
      const detail = 'class-validator checks more if the condition of @ValidateIf is true.';
      this.reporter.report('TW_SCHEMA_UNPUBLISHED', detail, conditional);
    }
    if (transform && !transformPreservesType(transform.arguments[0])) {
      const detail = 'The schema has the declared type, but @Transform may accept another form.';
      this.reporter.report('TW_SCHEMA_TRANSFORM', detail, transform.node);
    }
  }

  private tellLack(
    { written, node }: WrittenConstraint,
    fit: 'rough' | 'none',
    said: JsonSchema | undefined,
  ): void {
    if (said) return;
    const what = fit === 'rough' ? 'checks more than a schema can express' : 'cannot be written in a schema';
    this.reporter.report('TW_SCHEMA_UNPUBLISHED', `@${written} ${what}.`, node);
  }

  private of(property: ts.Symbol): PropertyDecorators {
    return getOrMake(this.decorators, property, () => readPropertyDecorators(property, this));
  }

  /** `@Exclude()` on the class leaves only exposed properties. */
  private isClassExcluded(property: ts.Symbol, role: SchemaRole): boolean {
    const owner = property.valueDeclaration?.parent;
    if (!owner || !ts.isClassDeclaration(owner) || !ts.getDecorators(owner)) return false;
    return findDecorators(owner, this.symbols).some((decorator) => {
      if (decorator.package !== 'class-transformer' || decorator.name !== 'Exclude') return false;
      const [argument] = decorator.arguments;
      const options = (argument && (foldWritten(argument, this.checker)?.value as object | undefined)) ?? {};
      return concerns(directionOf(options as Record<string, unknown>), role);
    });
  }
}

/** The declared property. In instances of a generic class and in mapped types, it has other symbols. */
const declared = (property: ts.Symbol) => property.valueDeclaration ?? property;

const fieldsOf = (type: ts.Type, checker: ts.TypeChecker) =>
  checker.getPropertiesOfType(type).filter(({ flags }) => flags & ts.SymbolFlags.Property);

const hasRules = ({ constraints, optional }: PropertyDecorators) => constraints.length > 0 || optional;

function rulesOf(property: ts.Symbol, { constraints, optional }: PropertyDecorators): PropertyRule[] {
  const name = property.getName();
  return [
    ...constraints.map((constraint) => ({ property: name, ...constraint })),
    ...(optional ? [{ property: name, name: 'isoptional', arguments: [], each: false }] : []),
  ];
}

const concerns = (direction: TransformDirection, role: SchemaRole): boolean =>
  direction === 'both' || direction === role;

function nameOf({ expression }: ts.Decorator): string {
  return `@${(ts.isCallExpression(expression) ? expression.expression : expression).getText()}`;
}
