import type { JsonSchema, ManifestQuestion, Revival, SourceLocation } from '@toolwright/manifest';
import type { ts } from 'typescript-json-schema';
import { foldConstant } from '../defaults/fold-constant.js';
import type { SchemaDiagnostic } from '../diagnostics/diagnostic.js';
import type { PackageSymbols } from '../discover/package-symbols.js';
import type { RevivalBuilder } from '../revival/build-revival.js';
import { classifyType } from '../types/classify-type.js';
import type { SchemaGenerator } from '../types/schema-generator.js';
import { findQuestions, type QuestionSite } from './find-questions.js';
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
    const value = foldConstant(site.key, this.checker)?.value;
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
    const { form, faults } = toForm(natural);
    for (const { path, detail } of faults)
      reporter.report(
        'TW_SCHEMA_FORM',
        `${[this.checker.typeToString(type), path].filter(Boolean).join('.')}: ${detail}`,
      );
    return { schema: form, wrap: false, revive };
  }

  private schemaOf(type: ts.Type): JsonSchema {
    this.generator.begin('input');
    try {
      return this.generator.finish(this.generator.getTypeDefinition(type));
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
