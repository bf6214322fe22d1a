import { markSensitive, type JsonSchema } from '@toolwright/json';
import type { ManifestParameter } from '@toolwright/manifest';
import { type Definition, ts } from '../generator/tjs-adapter.js';
import { foldConstant } from '../defaults/fold-constant.js';
import { toJsonDefault, uncertainDefault } from '../defaults/apply-default.js';
import type { FoundDecorator } from '../discover/package-symbols.js';
import { withReason } from '../docs/deprecation.js';
import type { MethodDocs, NestedParam } from '../docs/read-method-docs.js';
import { checkHeaders } from './check-headers.js';
import { NO_PROPERTY, mergeSchema, resolveWithin, type Merge } from './merge-schema.js';
import { acceptsUndefined, initialiserOf, isUntyped } from '../types/members.js';
import { serviceObject } from '../types/live-object.js';
import type { SchemaGenerator } from '../generator/schema-generator.js';
import { type SignatureParameter, isFlattened } from './classify-parameters.js';
import { PROTO } from '../types/json-properties.js';
import { describeProperty } from './describe-property.js';
import { elementKey, ownDefaultsOf } from './own-defaults.js';
import { type GivenSchema, StandardSchemas, readSchemaDecorator } from './given-schemas.js';

/** How messages name the place whose `@Schema` contradicts a type. */
const METHOD = 'the method';

export interface CompiledInput {
  schema: JsonSchema;
  /** The author's own schema, published unchanged. */
  exact: boolean;
  parameters: ManifestParameter[];
  flatten: boolean;
  /** The arguments whose schema the server completes when it starts; `''` for all. */
  standard?: string[];
}

/** Builds the arguments object of a method. It reports problems, and leaves out the parts that have one. */
export class InputCompiler {
  private readonly standards: StandardSchemas;

  constructor(
    readonly generator: SchemaGenerator,
    private readonly checker: ts.TypeChecker,
  ) {
    this.standards = new StandardSchemas(generator, checker);
  }

  compile(parameters: SignatureParameter[], docs: MethodDocs, decorators: FoundDecorator[]): CompiledInput {
    this.generator.begin('input');
    const data = parameters.filter((parameter) => !parameter.inject);
    const ofMethod = this.standards.ofMethod(decorators, data);
    const whole = ofMethod ? this.standards.wholeOf(ofMethod, data) : this.wholeInput(data);
    const given = readSchemaDecorator(decorators, this.checker, this.generator.reporter);
    const compiled = ofMethod
      ? this.generator.finish(
          this.describeProperties(
            this.standards.argumentsOf(ofMethod, data, whole),
            docs.nested.filter(
              ({ parameter }) => data.every(({ name }) => name !== parameter) || parameter === whole?.name,
            ),
          ),
        )
      : given?.exact
        ? given.schema
        : this.derive(data, whole, docs.nested, given);
    const schema = given ? markSensitive(compiled, 'input') : compiled;
    for (const problem of checkHeaders(schema)) {
      this.generator.reporter.report('TW_SCHEMA_HEADER', problem, given?.node ?? data[0]?.declaration);
    }
    const described = parameters.map((parameter) => this.describe(parameter, parameter === whole, schema));
    const exact = given?.exact === true;
    const standard = ofMethod ? [''] : this.standardNames(data, whole);
    return {
      schema,
      exact,
      parameters: described,
      flatten: !!whole,
      ...(standard.length > 0 && { standard }),
    };
  }

  private standardNames(data: SignatureParameter[], whole: SignatureParameter | undefined): string[] {
    return data
      .filter(({ decorators }) => this.standards.of(decorators))
      .map((parameter) => (parameter === whole ? '' : parameter.name));
  }

  private derive(
    data: SignatureParameter[],
    whole: SignatureParameter | undefined,
    nested: readonly NestedParam[],
    given: GivenSchema | undefined,
  ): JsonSchema {
    const root = this.argumentsObject(data, whole, nested);
    const finished = this.generator.finish(root);
    this.reportHidden(root, finished, data);
    const natural = whole && data.length === 1 ? this.optionalWhole(finished, whole) : finished;
    if (!given) return natural;
    return this.overlay(natural, given, { owner: METHOD, resolve: resolveWithin(natural) });
  }

  /** A default that clients must not see is applied by an initialiser alone. */
  private reportHidden(
    { properties = {} }: Definition,
    finished: JsonSchema,
    data: SignatureParameter[],
  ): void {
    for (const [name, { default: written }] of Object.entries(properties)) {
      if (written === undefined || finished.properties?.[name]?.default !== undefined) continue;
      const place = data.find((each) => each.name === name)?.declaration;
      const symbols = data.flatMap(({ type }) => this.checker.getPropertyOfType(type, name) ?? []);
      const code = place ? place.initializer : symbols.some(initialiserOf);
      if (code || this.takenWithDefault(data, name)) continue;
      const detail = `The default of ${name} contains a sensitive value, so the schema has none. Write it as an initialiser.`;
      this.generator.reporter.report('TW_SCHEMA_DEFAULT', detail, place ?? symbols[0]?.valueDeclaration);
    }
  }

  private takenWithDefault(data: SignatureParameter[], key: string): boolean {
    return data.some(
      ({ declaration: { name } }) =>
        ts.isObjectBindingPattern(name) &&
        name.elements.some((element) => elementKey(element) === key && element.initializer),
    );
  }

  private overlay(
    derived: JsonSchema,
    given: GivenSchema,
    { owner, resolve }: Pick<Merge, 'resolve'> & { owner: string },
  ): JsonSchema {
    const onConflict: Merge['onConflict'] = (path, detail) => {
      const place = path === '' ? owner : `${owner}, ${path}`;
      // A rule for an argument that the method has not holds nobody to it.
      const isLost = owner === METHOD && detail === NO_PROPERTY && !path.includes('.');
      const code = isLost ? 'TW_SCHEMA_LOST_RULE' : 'TW_SCHEMA_CONFLICT';
      const words = isLost ? 'The method has no such argument.' : detail;
      this.generator.reporter.report(code, `@Schema of ${place}: ${words}`, given.node);
    };
    return mergeSchema(derived, given.schema, { onConflict, resolve });
  }

  /**
   * The parameter whose properties become the arguments: a destructured first parameter, or the only
   * parameter if it is an object.
   */
  private wholeInput(data: SignatureParameter[]): SignatureParameter | undefined {
    const [first] = data;
    if (!first || first.rest || first.decorators.some(({ name }) => name === 'Arg')) return undefined;
    if (ts.isObjectBindingPattern(first.declaration.name)) return first;
    // Clients send what a schema accepts, and the parameter has the type of what it returns.
    const sent = this.standards.of(first.decorators)?.input;
    const isTelling = sent && !isUntyped(sent);
    const type = isTelling ? sent : first.type;
    return data.length === 1 && isFlattened(type, this.checker) ? first : undefined;
  }

  private argumentsObject(
    data: SignatureParameter[],
    whole: SignatureParameter | undefined,
    nested: readonly NestedParam[],
  ): Definition {
    const rest = data.filter((parameter) => parameter !== whole);
    const named = (name: string) => nested.filter(({ parameter }) => parameter === name);
    // A destructured parameter has no name, so a tag may use any name for it.
    const unnamed = () => nested.filter(({ parameter }) => !rest.some(({ name }) => name === parameter));
    const root: Definition = whole
      ? this.describeProperties(
          this.wholeDefinition(whole),
          ts.isIdentifier(whole.declaration.name) ? named(whole.name) : unnamed(),
        )
      : { type: 'object' };
    const properties: Record<string, Definition> = { ...root.properties };
    const required = new Set(root.required);
    for (const parameter of rest) {
      const definition = this.property(parameter, properties);
      if (!definition) continue;
      properties[parameter.name] = this.describeProperties(definition, named(parameter.name));
      if (!this.isOptional(parameter)) required.add(parameter.name);
    }
    if (rest.length > 0) root.properties = properties;
    if (required.size > 0) root.required = [...required].sort();
    if (!whole) root.additionalProperties = false;
    return root;
  }

  private property(parameter: SignatureParameter, taken: Record<string, Definition>): Definition | null {
    const { reporter } = this.generator;
    if (parameter.name === PROTO) {
      reporter.report('TW_SCHEMA_PROTO', `The parameter is called ${PROTO}.`, parameter.declaration);
      return null;
    }
    if (!ts.isIdentifier(parameter.declaration.name)) {
      reporter.report('TW_SCHEMA_DESTRUCTURED', 'This parameter is destructured.', parameter.declaration);
      return null;
    }
    if (Object.hasOwn(taken, parameter.name)) {
      reporter.report(
        'TW_SCHEMA_NAME_CLASH',
        `The name ${parameter.name} is used twice.`,
        parameter.declaration,
      );
    }
    const definition = this.define(parameter);
    if (definition && parameter.rest) definition.type ??= 'array';
    return definition;
  }

  /** If `@Schema` is exact, or the type says nothing, the schema is used without reading the type. */
  private define(parameter: SignatureParameter): Definition | null {
    const standard = this.standards.of(parameter.decorators);
    if (standard) return this.standards.define(standard, parameter);
    const given = readSchemaDecorator(parameter.decorators, this.checker, this.generator.reporter);
    if (given && (given.exact || isUntyped(parameter.type)))
      return this.withSensitivity(parameter, given.schema as Definition);
    if (this.isRefused(parameter)) return { type: 'object' };
    const schema = given ? undefined : this.standards.namedByType(parameter);
    if (schema !== undefined)
      this.generator.reporter.report(
        'TW_SCHEMA_UNUSED_SCHEMA',
        `${parameter.name}: its type is that of ${schema}, whose limits no caller is held to.`,
        parameter.declaration,
      );
    const natural = this.generator.property(parameter.symbol);
    const derived = natural && this.withSensitivity(parameter, natural);
    const resolve: Merge['resolve'] = (schema) => this.generator.resolve(schema as Definition) as JsonSchema;
    return derived && given
      ? (this.overlay(derived as JsonSchema, given, { owner: parameter.name, resolve }) as Definition)
      : derived;
  }

  /** Refuses a parameter that no client can send. Its schema would list the internal parts of a service. */
  private isRefused({ name, type, declaration }: SignatureParameter): boolean {
    const value = this.checker.getNonNullableType(type);
    const what = serviceObject(value, this.checker);
    if (what === undefined) return false;
    const typeName = (value.aliasSymbol ?? value.getSymbol())?.getName() ?? this.checker.typeToString(value);
    const detail = `${name}: ${typeName} is ${what}; no client can send one.`;
    this.generator.reporter.report('TW_SCHEMA_LIVE_OBJECT', detail, declaration);
    return true;
  }

  /** Defaults in a destructuring pattern belong to the properties that they name. */
  private wholeDefinition(whole: SignatureParameter): Definition {
    const definition = this.define(whole) ?? {};
    const object = this.generator.resolve(definition);
    const properties = { ...object.properties };
    let required = object.required ?? [];
    if (ts.isObjectBindingPattern(whole.declaration.name)) {
      for (const element of whole.declaration.name.elements) {
        const key = elementKey(element);
        const { initializer } = element;
        if (!initializer || !properties[key]) continue;
        required = required.filter((other) => other !== key);
        const { default: said, ...property } = properties[key];
        const value = toJsonDefault(foldConstant(initializer, this.checker)?.value);
        if (value === undefined && said !== undefined)
          this.generator.reporter.report('TW_SCHEMA_DEFAULT', uncertainDefault(said), element);
        properties[key] = value === undefined ? property : { ...property, default: value };
      }
    }
    const { required: _required, ...others } = object;
    const root: Definition = { ...others, ...(required.length > 0 ? { required } : {}) };
    if (isEmptyObject(root.default)) delete root.default;
    if (Object.keys(properties).length > 0) root.properties = properties;
    return root;
  }

  private describeProperties(definition: Definition, nested: readonly NestedParam[]): Definition {
    return nested.reduce((schema, { parameter, path, text, keywords, tag }) => {
      const said = { path, text, keywords };
      const described = describeProperty(schema, said, (each) => this.generator.resolve(each));
      if (described === schema || !described) this.reportLost(keywords, tag);
      if (!described) {
        const detail = `@param ${[parameter, ...path].join('.')} names no property of the parameter.`;
        this.generator.reporter.report('TW_SCHEMA_UNKNOWN_PARAM', detail, tag);
      }
      return described ?? schema;
    }, definition);
  }

  private reportLost(keywords: Definition, tag: ts.JSDocParameterTag): void {
    const [first] = Object.keys(keywords);
    if (first === undefined) return;
    const detail = `@${first.replace('x-', '')} beside @param ${tag.name.getText()} reaches no property.`;
    this.generator.reporter.report('TW_SCHEMA_LOST_RULE', detail, tag);
  }

  /** `{}` means that an optional object is left out, even if the object has required properties. */
  private optionalWhole(schema: JsonSchema, whole: SignatureParameter): JsonSchema {
    if (!this.isOptional(whole) || !schema.required?.length) return schema;
    const { $defs, default: value, description, ...object } = schema;
    return {
      ...(description === undefined ? {} : { description }),
      anyOf: [object, NO_ARGUMENTS],
      ...(value === undefined ? {} : { default: value }),
      ...($defs ? { $defs } : {}),
    };
  }

  private describe(parameter: SignatureParameter, whole: boolean, schema: JsonSchema): ManifestParameter {
    if (parameter.inject) {
      const isOptional = parameter.inject === 'provider' && parameter.optional;
      return {
        name: parameter.name,
        kind: 'inject',
        inject: parameter.inject,
        ...(isOptional ? { optional: true } : {}),
      };
    }
    const kind = whole ? 'input' : parameter.rest ? 'rest' : 'argument';
    const { keywords } = this.generator.docs.of(parameter.symbol);
    const description = withReason(keywords).description as string | undefined;
    return {
      name: parameter.name,
      kind,
      ...(this.isOptional(parameter) ? { optional: true } : {}),
      ...ownDefaultsOf(parameter, { kind }, { schema, checker: this.checker }),
      ...(whole && isOmittable(schema) ? { ownDefault: true } : {}),
      ...(description ? { description } : {}),
    };
  }

  private withSensitivity({ decorators, symbol }: SignatureParameter, schema: Definition): Definition {
    const { keywords } = this.generator.docs.of(symbol);
    const isMarked = keywords['x-sensitive'] === true || decorators.some(({ name }) => name === 'Sensitive');
    return isMarked ? { ...schema, 'x-sensitive': true } : schema;
  }

  private isOptional(parameter: SignatureParameter): boolean {
    const standard = this.standards.of(parameter.decorators);
    if (standard && acceptsUndefined(standard.input)) return true;
    return (
      parameter.optional || parameter.rest || !this.generator.properties.isRequired(parameter.symbol, 'input')
    );
  }
}

/** Whether no arguments mean that the parameter has no value: an object would have to have properties. */
function isOmittable({ type, anyOf }: JsonSchema): boolean {
  return type === undefined && anyOf?.at(-1) === NO_ARGUMENTS;
}

const NO_ARGUMENTS: JsonSchema = { type: 'object', additionalProperties: false };

/** With `= {}` everything may be left out, and the schema already says so. */
function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
