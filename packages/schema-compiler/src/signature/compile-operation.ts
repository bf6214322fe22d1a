import { classId, classOperationName, toolId, type ManifestParameter } from '@toolwright/manifest';
import { type Revival, nearestNames, reasonOf } from '@toolwright/json';
import { ts } from '../generator/tjs-adapter.js';
import type { CompiledOperation } from '../compiled-project.js';
import { reportSize } from '../diagnostics/report-size.js';
import type { Reporter } from '../diagnostics/reporter.js';
import { type FoundDecorator, type PackageSymbols, findCoreDecorators } from '../discover/package-symbols.js';
import type { OperationSite, ServiceSite } from '../discover/find-services.js';
import { describeInjectedType } from '../emit/describe-class.js';
import { looseTag } from '../docs/loose-tags.js';
import { readMethodDocs } from '../docs/read-method-docs.js';
import type { RevivalBuilder } from '../revival/build-revival.js';
import type { SchemaGenerator } from '../generator/schema-generator.js';
import { type SignatureParameter, classifyParameters, pickSignature } from './classify-parameters.js';
import { InputCompiler, type CompiledInput } from './compile-input.js';
import { OutputCompiler, type CompiledOutput } from './compile-output.js';
import { initialisedProperties } from './own-defaults.js';
import { nameDeclared, readDeclared, readPolicies } from './read-declared.js';

/** Compiles decorated methods one after the other, with the same generator. */
export class OperationCompiler {
  private readonly inputs: InputCompiler;
  private readonly outputs: OutputCompiler;

  constructor(
    readonly checker: ts.TypeChecker,
    readonly core: PackageSymbols,
    generator: SchemaGenerator,
    readonly reporter: Reporter,
    private readonly revivals: RevivalBuilder,
  ) {
    this.inputs = new InputCompiler(generator, checker);
    this.outputs = new OutputCompiler(generator, checker, core);
  }

  /** Never throws. If a method has a problem, the result is a diagnostic of that method. */
  compile(service: ServiceSite, site: OperationSite): CompiledOperation {
    const place = site.decorators[0]?.node ?? service.declaration;
    if (site.misplaced !== undefined) {
      const [{ name } = { name: '' }] = site.decorators;
      this.reporter.report('TW_SCHEMA_PLACE', `@${name} makes no operation here: ${site.misplaced}`, place);
      return this.failed(service, site, place);
    }
    try {
      return this.compileMethod(service, site);
    } catch (error) {
      const message = reasonOf(error);
      this.reporter.report('TW_SCHEMA_INTERNAL', `${site.name}: ${message}`, place);
      return this.failed(service, site, place);
    }
  }

  /** The first method also gets the decorators of the class, so that their problems are reported once. */
  private decoratorsOf(service: ServiceSite, site: OperationSite): FoundDecorator[] {
    const ofClass = site === service.operations[0] ? findCoreDecorators(service.declaration, this.core) : [];
    const ofMethod = site.decorators.filter(({ node }) => ofClass.every((each) => each.node !== node));
    return [...ofClass, ...ofMethod].filter((each) => each.package === '@toolwright/core');
  }

  /** By the type of the options, which may come from anywhere. */
  private hasAudience({ declaration }: ServiceSite): boolean {
    const decorator = findCoreDecorators(declaration, this.core).find(({ name }) => name === 'McpService');
    const [options] = decorator?.arguments ?? [];
    return options !== undefined && this.checker.getTypeAtLocation(options).getProperty('for') !== undefined;
  }

  private failed(service: ServiceSite, site: OperationSite, place: ts.Node): CompiledOperation {
    const file = this.reporter.relativePath(service.declaration.getSourceFile().fileName);
    return {
      key: toolId({ file, className: service.name, method: site.name, static: site.static }),
      classKey: classId(file, service.name),
      className: service.name,
      method: site.name,
      static: site.static,
      kinds: site.kinds,
      publishedName: this.defaultName(service, site),
      declared: [],
      policies: [],
      parameters: [],
      input: { type: 'object' },
      exact: false,
      output: null,
      wrap: false,
      stream: false,
      flatten: false,
      revive: {},
      location: this.reporter.locate(place),
      diagnostics: this.reporter.take(),
    };
  }

  private compileMethod(service: ServiceSite, site: OperationSite): CompiledOperation {
    const file = this.reporter.relativePath(service.declaration.getSourceFile().fileName);
    const { signature, declaration } = pickSignature(service, site, this.checker, this.reporter);
    const docs = readMethodDocs(site.method, this.checker);
    for (const { name, near } of docs.misspelt) {
      this.reporter.report(
        'TW_SCHEMA_UNKNOWN_TAG',
        `@${name} is unknown; did you mean @${near}?`,
        declaration,
      );
    }
    for (const { name, tag } of docs.stray) {
      this.reporter.report(
        'TW_SCHEMA_UNKNOWN_PARAM',
        `@param ${name} names no parameter of ${site.name}.`,
        tag,
      );
    }
    for (const { name, tag } of docs.misplaced) {
      const detail = `@${name} is in the comment of ${site.name}, and no @param is on its line.`;
      this.reporter.report('TW_SCHEMA_LOST_RULE', detail, tag);
    }
    for (const { name, node } of docs.loose)
      this.reporter.report('TW_SCHEMA_LOST_RULE', looseTag(name), node);
    const parameters = classifyParameters(
      { signature, overridden: site.overridden, decorators: site.decorators },
      this.checker,
      this.core,
    );
    const names = parameters.map(({ symbol }) => symbol.getName());
    for (const { detail, node } of strayNames(site.decorators, names))
      this.reporter.report('TW_SCHEMA_LOST_RULE', detail, node);
    const input = this.inputs.compile(parameters, docs, site.decorators);
    const output = this.outputs.compile({ signature, declaration, kinds: site.kinds });
    const declared = readDeclared(site.decorators, this.checker);
    const revive = this.revive(parameters, input, output);
    this.leaveToInstance(parameters, input, revive);
    if (site.kinds.includes('tool')) {
      const allowed = declared.find(({ kind }) => kind === 'tool')?.options['maxSchemaBytes'];
      const sizes = {
        input: input.schema,
        output: output.schema,
        revivals: this.revivals.sizeOf(revive),
        allowed: typeof allowed === 'number' ? allowed : undefined,
      };
      reportSize(sizes, this.reporter, declaration);
    }
    const { name: literalName, title } = declared[0]?.options ?? {};
    const name = text(literalName);
    const publishedName = name ?? this.defaultName(service, site);
    return {
      key: toolId({ file, className: service.name, method: site.name, static: site.static }),
      classKey: classId(file, service.name),
      className: service.name,
      method: site.name,
      static: site.static,
      kinds: site.kinds,
      ...(this.hasAudience(service) && { hasAudience: true }),
      ...(name === undefined ? {} : { name }),
      publishedName,
      declared: declared.map((each) => nameDeclared(each, publishedName)),
      policies: readPolicies(this.decoratorsOf(service, site), this.checker),
      ...(text(title) === undefined ? {} : { title: text(title) }),
      ...(docs.description === undefined ? {} : { description: docs.description }),
      ...(docs.examples ? { examples: docs.examples } : {}),
      ...(docs.deprecated === undefined ? {} : { deprecated: docs.deprecated }),
      parameters: this.describeInjected(parameters, input.parameters),
      input: input.schema,
      exact: input.exact,
      output: output.schema,
      ...(output.protocolResult && { protocolResult: output.protocolResult }),
      wrap: output.wrap,
      stream: output.stream,
      flatten: input.flatten,
      ...(input.standard && { standard: input.standard }),
      revive,
      location: this.reporter.locate(declaration),
      diagnostics: this.reporter.take(),
    };
  }

  /** Describes what is injected, and reports `@Inject` at places where nothing can be injected. */
  private describeInjected(
    parameters: SignatureParameter[],
    described: ManifestParameter[],
  ): ManifestParameter[] {
    return described.map((parameter, index) => {
      if (parameter.inject !== 'provider') return parameter;
      const { type, declaration, rest, decorators } = parameters[index]!;
      const other = decorators.find(({ name }) => name !== 'Inject');
      if (rest)
        this.reporter.report('TW_SCHEMA_INJECT', 'A rest parameter takes any number of values.', declaration);
      if (other)
        this.reporter.report('TW_SCHEMA_INJECT', `@${other.name} is only for arguments.`, declaration);
      return { ...parameter, ...describeInjectedType(type, declaration, this) };
    });
  }

  private revive(
    parameters: SignatureParameter[],
    { parameters: described, standard = [] }: CompiledInput,
    output: CompiledOutput,
  ): CompiledOperation['revive'] {
    const input: Record<string, Revival> = {};
    // Such a schema makes dates and the like itself.
    const isStandard = (name: string) => standard.includes(name) || standard.includes('');
    for (const [index, { kind, name }] of described.entries()) {
      if (kind === 'inject' || isStandard(kind === 'input' ? '' : name)) continue;
      const { type, declaration } = parameters[index]!;
      const revival = this.reporter.at(declaration, () => this.revivals.build(type, 'input'));
      const isWhole = kind === 'input';
      // The server adds the defaults of all arguments itself.
      if (revival && !(isWhole && this.isOnlyDefaults(revival))) input[isWhole ? '' : name] = revival;
    }
    const result = output.type && this.revivals.build(output.type, 'output');
    const whole: Revival | undefined = result && output.stream ? { kind: 'array', items: result } : result;
    return { ...(Object.keys(input).length > 0 ? { input } : {}), ...(whole ? { output: whole } : {}) };
  }

  private isOnlyDefaults(revival: Revival): boolean {
    const meant = revival.kind === 'ref' ? (this.revivals.shared[revival.name] ?? revival) : revival;
    return Object.keys(meant).every((key) => key === 'kind' || key === 'defaults') && meant.kind === 'object';
  }

  /** If the whole input becomes an instance of a class, that instance already has the values of its initialisers. */
  private leaveToInstance(
    parameters: SignatureParameter[],
    input: CompiledInput,
    { input: { '': whole } = {} }: CompiledOperation['revive'],
  ): void {
    const revival = whole?.kind === 'ref' ? this.revivals.shared[whole.name] : whole;
    const index = input.parameters.findIndex(({ kind }) => kind === 'input');
    if (index === -1 || revival?.kind !== 'object' || revival.class === undefined) return;
    const { properties } = this.inputs.generator;
    const type = this.checker.getNonNullableType(parameters[index]!.type);
    const names = initialisedProperties(type, properties, input.schema);
    if (names.length > 0) input.parameters[index]!.ownDefaults = names;
  }

  private defaultName(service: ServiceSite, site: OperationSite): string {
    const onClass = site.decorators.some(({ node }) => ts.isClassLike(node.parent));
    return onClass ? classOperationName(service.name) : site.name;
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Decorators of a method that name one of its parameters. The name of one that is misspelt would be lost without a word. */
const NAMING = new Set(['Arg', 'Sensitive']);

/** A name in a decorator that no parameter has. */
interface StrayName {
  readonly detail: string;
  readonly node: ts.Node;
}

/** @param names those of the parameters, as the method declares them */
function strayNames(decorators: readonly FoundDecorator[], names: readonly string[]): StrayName[] {
  return decorators.flatMap(({ name, arguments: [given], node }) => {
    if (!NAMING.has(name) || !given || !ts.isStringLiteralLike(given) || names.includes(given.text))
      return [];
    const [near] = nearestNames(given.text, names);
    const hint = near === undefined ? `It has ${names.join(', ') || 'none'}.` : `Did you mean '${near}'?`;
    return [{ detail: `@${name}('${given.text}') names no parameter of the method. ${hint}`, node }];
  });
}
