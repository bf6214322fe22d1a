import type { JsonSchema, Revival } from '@toolwright/json';
import type { ManifestQuestion, SourceLocation } from '@toolwright/manifest';
import { isUntyped } from '../types/members.js';
import { ts } from '../generator/tjs-adapter.js';
import { foldWritten } from '../defaults/fold-constant.js';
import type { SchemaDiagnostic } from '../diagnostics/diagnostic.js';
import type { PackageSymbols } from '../discover/package-symbols.js';
import type { SchemaGenerator } from '../generator/schema-generator.js';
import type { RevivalBuilder } from '../revival/build-revival.js';
import { classifyType } from '../types/classify-type.js';
import { toForm } from './to-form.js';

/** One question of a source, compiled. */
export interface CompiledQuestion {
  kind: ManifestQuestion['kind'];
  /** Undefined if the key is computed at run time. */
  key: string | undefined;
  /** The schema of the answer; undefined for a sample without a type, and if there is an error. */
  schema: JsonSchema | undefined;
  wrap: boolean;
  revive: Revival | undefined;
  location: SourceLocation;
  diagnostics: SchemaDiagnostic[];
}

/** Compiles the type arguments of `ctx.elicit<T>` and `ctx.sample<T>` like signatures. */
export class QuestionCompiler {
  constructor(
    private readonly checker: ts.TypeChecker,
    private readonly core: PackageSymbols,
    private readonly generator: SchemaGenerator,
    private readonly revivals: RevivalBuilder,
  ) {}

  compile(file: ts.SourceFile): CompiledQuestion[] {
    return findQuestions(file, this.checker, this.core).flatMap((site) => this.compileSite(site) ?? []);
  }

  private compileSite(site: QuestionSite): CompiledQuestion | undefined {
    const { kind, call, typed } = site;
    const { reporter } = this.generator;
    const value = foldWritten(site.key, this.checker)?.value;
    const key = typeof value === 'string' ? value : undefined;
    const nothing = { schema: undefined, wrap: false, revive: undefined };
    // A sample without a type is recorded for its key only, because no question with a type may have the same
    // key.
    if (!typed && (kind === 'elicit' || key === undefined)) return undefined;
    const place = call.typeArguments?.[0] ?? call;
    const compiled = typed ? reporter.at(place, () => this.compileType(site, key)) : nothing;
    return {
      kind,
      key,
      ...(compiled ?? nothing),
      location: reporter.locate(call),
      diagnostics: reporter.take(),
    };
  }

  private compileType(
    { kind, type }: QuestionSite,
    key: string | undefined,
  ): Pick<CompiledQuestion, 'schema' | 'wrap' | 'revive'> | undefined {
    const { reporter } = this.generator;
    const tell = (detail: string) => void reporter.report('TW_SCHEMA_QUESTION', detail);
    if (key === undefined) return tell(`The key of this ${kind} is not a constant.`);
    if (key === '__proto__') return tell('The key cannot be __proto__.');
    if (!type) return tell(`The question "${key}" has neither a type nor a schema.`);
    if (classifyType(type, this.checker)?.kind === 'parameter')
      return tell(
        `${this.checker.typeToString(type)} of the question "${key}" is a type parameter, so the compiler does not know it.`,
      );
    const natural = reporter.within(this.checker.typeToString(type), () => this.schemaOf(type));
    const revive = this.revivals.build(type, 'input');
    if (kind === 'sample') {
      const wrap = natural.type !== 'object';
      return { schema: wrap ? wrapped(natural) : natural, wrap, revive };
    }
    const { form, problems } = toForm(natural);
    for (const { path, detail } of problems)
      reporter.report(
        'TW_SCHEMA_FORM',
        `${[this.checker.typeToString(type), path].filter(Boolean).join('.')}: ${detail}`,
      );
    return { schema: form, wrap: false, revive };
  }

  private schemaOf(type: ts.Type): JsonSchema {
    this.generator.begin('input');
    try {
      return this.generator.finish(this.generator.define(type));
    } catch (error) {
      return this.generator.refuse(error) as JsonSchema;
    }
  }
}

/** Models answer through the arguments of a tool, and arguments are an object. */
function wrapped({ $defs, ...value }: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: { value },
    required: ['value'],
    additionalProperties: false,
    ...($defs && { $defs }),
  };
}

/** A call of `elicit` or `sample` of core's `ToolContext`. */
interface QuestionSite {
  kind: 'elicit' | 'sample';
  call: ts.CallExpression;
  key: ts.Expression;
  /** The type of the answer; undefined if neither a type argument nor the surrounding code gives it. */
  type: ts.Type | undefined;
  /** The request contains no schema, so the type is the only source. */
  typed: boolean;
}

const MENTIONED = /\b(?:elicit|sample)\b/;

/**
 * Finds all questions that a file asks: in methods, helper functions and services. It recognises the method
 * that a call resolves to. So the context may have any name, and its members may be destructured.
 */
function findQuestions(file: ts.SourceFile, checker: ts.TypeChecker, core: PackageSymbols): QuestionSite[] {
  if (!MENTIONED.test(file.text)) return [];
  const found: QuestionSite[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && mayAsk(node)) {
      const site = siteOf(node, checker, core);
      if (site) found.push(site);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** A fast check of the syntax, so that the type checker is not asked about every call of the file. */
function mayAsk({ arguments: given, expression, typeArguments }: ts.CallExpression): boolean {
  if (given.length !== 2) return false;
  const name = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
  return typeArguments !== undefined || !ts.isIdentifier(name) || MENTIONED.test(name.text);
}

function siteOf(
  call: ts.CallExpression,
  checker: ts.TypeChecker,
  core: PackageSymbols,
): QuestionSite | undefined {
  const signature = checker.getResolvedSignature(call);
  const declaration = signature?.getDeclaration();
  const owner = declaration?.parent;
  if (!signature || !owner || !ts.isClassLike(owner) || !owner.name) return undefined;
  const kind = declaration.name?.getText();
  if (kind !== 'elicit' && kind !== 'sample') return undefined;
  const { package: from, name } = core.exportOf(owner.name) ?? {};
  if (from !== '@toolwright/core' || name !== 'ToolContext') return undefined;
  const [key, request] = call.arguments as unknown as [ts.Expression, ts.Expression];
  const answer = answerType(call, signature, checker);
  const typed =
    kind === 'sample' ? !!declaration.typeParameters : !bringsSchema(checker.getTypeAtLocation(request));
  return { kind, call, key, type: answer, typed };
}

/**
 * The type argument as written, which keeps its names. Without one, the type that the surrounding code gives
 * to the call.
 */
function answerType(
  { typeArguments }: ts.CallExpression,
  signature: ts.Signature,
  checker: ts.TypeChecker,
): ts.Type | undefined {
  const [written] = typeArguments ?? [];
  if (written) return checker.getTypeFromTypeNode(written);
  const result = checker.getAwaitedType(signature.getReturnType());
  const member = result?.getProperty('content') ?? result?.getProperty('value');
  const inferred = member && checker.getNonNullableType(checker.getTypeOfSymbol(member));
  return inferred && checker.getPropertiesOfType(inferred).length > 0 ? inferred : undefined;
}

/** Whether every request of this type contains its own form, or its own page. */
function bringsSchema(request: ts.Type): boolean {
  if (isUntyped(request)) return true;
  return (request.isUnion() ? request.types : [request]).every((part) =>
    ['schema', 'url'].some((name) => {
      const member = part.getProperty(name);
      return member !== undefined && !(member.flags & ts.SymbolFlags.Optional);
    }),
  );
}
