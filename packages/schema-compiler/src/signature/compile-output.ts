import type { JsonSchema } from '@toolwright/manifest';
import type { ts } from 'typescript-json-schema';
import type { OperationKind } from '../discover/find-services.js';
import type { PackageSymbols } from '../discover/package-symbols.js';
import { classifyType } from '../types/classify-type.js';
import { acceptsNull, acceptsUndefined, isNothing } from '../types/members.js';
import type { SchemaGenerator } from '../types/schema-generator.js';
import type { Definition } from '../types/tjs-internals.js';
import { FinishedTypes } from './finished-types.js';
import type { ProtocolResult } from './result-shapes.js';

export interface CompiledOutput {
  /** Null if the method returns nothing, or a result of the protocol that is sent unchanged. */
  schema: JsonSchema | null;
  wrap: boolean;
  stream: boolean;
  /** Set if the method returns the protocol's own result and nothing else. */
  protocolResult?: ProtocolResult;
  /** The awaited type, or the type of the items of a stream, if there is a schema. */
  type?: ts.Type;
}

/** The method whose result is compiled. */
export interface OutputSource {
  signature: ts.Signature;
  declaration: ts.SignatureDeclaration;
  kinds: readonly OperationKind[];
}

const NOTHING: CompiledOutput = { schema: null, wrap: false, stream: false };
const LIST = { wrap: true, stream: true };

/** Builds the schema of a method's awaited result. */
export class OutputCompiler {
  private readonly finished: FinishedTypes;

  constructor(
    private readonly generator: SchemaGenerator,
    private readonly checker: ts.TypeChecker,
    private readonly core: PackageSymbols,
  ) {
    this.finished = new FinishedTypes(checker, core);
  }

  compile(source: OutputSource): CompiledOutput {
    const { declaration } = source;
    this.generator.begin('output');
    const place = declaration.type ?? declaration;
    const { reporter } = this.generator;
    const compileResult = () => {
      try {
        return this.compileType(source);
      } catch (error) {
        return { ...NOTHING, schema: this.generator.refuse(error) };
      }
    };
    return reporter.at(place, () => reporter.within('The result', compileResult));
  }

  private compileType({ signature, declaration, kinds }: OutputSource): CompiledOutput {
    const returned = signature.getReturnType();
    const type = this.checker.getAwaitedType(returned) ?? returned;
    if (isNothing(type)) return NOTHING;
    const structured = this.structuredTypes(type);
    if (structured) return this.compileData(structured, kinds);
    const finished = this.finished.of(type, kinds, declaration.type);
    if (finished) return finish(finished);
    const special = classifyType(type, this.checker);
    if (special?.kind !== 'iterable') return this.compileData([type], kinds);
    return { ...this.compileStream(type, special.item, kinds), stream: true };
  }

  private compileStream(
    type: ts.Type,
    item: ts.Type | undefined,
    kinds: readonly OperationKind[],
  ): CompiledOutput {
    const structured = item && this.structuredTypes(item);
    if (structured) {
      const { schema, type: only } = this.compileData(structured, kinds);
      const { $defs, ...items } = schema ?? {};
      return {
        ...LIST,
        schema: { type: 'array', items, ...($defs && { $defs }) },
        ...(only && { type: only }),
      };
    }
    const finished = item && this.finished.of(item, kinds);
    if (finished) return finish(finished);
    const schema = this.generator.finish(this.generator.getTypeDefinition(type));
    return { ...LIST, schema, ...(item && { type: item }) };
  }

  /** @param types alternatives; those that are finished answers need no schema */
  private compileData(types: readonly ts.Type[], kinds: readonly OperationKind[]): CompiledOutput {
    const data = types.filter((type) => !isNothing(type) && this.finished.of(type, kinds) === undefined);
    const definitions = data.map((type) => this.generator.getTypeDefinition(this.defined(type)));
    const isNullable = types.some((type) => acceptsUndefined(type) && !acceptsNull(type));
    const root = oneOf(isNullable ? [...definitions, { type: 'null' }] : definitions);
    const schema = this.generator.finish(root);
    const [only] = data;
    return {
      schema,
      wrap: schema.type !== 'object',
      stream: false,
      ...(data.length === 1 && { type: only }),
    };
  }

  /**
   * The types of structured content in the alternatives of a type, if core's `structured` creates one of
   * them.
   */
  private structuredTypes(type: ts.Type): ts.Type[] | undefined {
    const parts = type.isUnion() ? type.types : [type];
    const isStructured = (part: ts.Type) => this.core.coreType(part) === 'Structured';
    if (!parts.some(isStructured)) return undefined;
    return parts.flatMap((part) =>
      isStructured(part) ? this.checker.getTypeArguments(part as ts.TypeReference).slice(0, 1) : [part],
    );
  }

  /** JSON has no undefined, so a missing value becomes null. */
  private defined(type: ts.Type): ts.Type {
    return type.isUnion() && acceptsUndefined(type) && !acceptsNull(type)
      ? this.checker.getNonNullableType(type)
      : type;
  }
}

function finish(finished: NonNullable<ReturnType<FinishedTypes['of']>>): CompiledOutput {
  return finished === 'content' || finished === 'mixed' ? NOTHING : { ...NOTHING, protocolResult: finished };
}

/** A choice between definitions. If all are bare types, it is written as `{ type: ["string", "null"] }`. */
function oneOf(definitions: readonly Definition[]): Definition {
  const distinct = [...new Map(definitions.map((each) => [JSON.stringify(each), each])).values()];
  if (distinct.length === 1) return distinct[0]!;
  const types = distinct.map((each) => (Object.keys(each).length === 1 ? each.type : undefined));
  return types.every((type) => type !== undefined) ? { type: types.flat() } : { anyOf: distinct };
}
