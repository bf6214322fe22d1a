import { present, distinct, type JsonSchema } from '@toolwright/json';
import { type Definition, ts } from '../generator/tjs-adapter.js';
import type { OperationKind } from '../discover/find-services.js';
import type { PackageSymbols } from '../discover/package-symbols.js';
import type { SchemaGenerator } from '../generator/schema-generator.js';
import { classifyType } from '../types/classify-type.js';
import { acceptsNull, acceptsUndefined, isNothing } from '../types/members.js';
import { type ProtocolResult, ResultShapes } from './result-shapes.js';

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
interface OutputSource {
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
    const { reporter, lost } = this.generator;
    const written = resultType(declaration.type);
    const compileResult = () => {
      try {
        return this.compileType(source);
      } catch (error) {
        return { ...NOTHING, schema: this.generator.refuse(error) };
      }
    };
    const compiled = reporter.at(place, () => reporter.within('The result', compileResult));
    lost.check(written && { node: written }, 'output');
    return compiled;
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
    const written = resultType(declaration.type);
    if (special?.kind !== 'iterable') return this.compileData([type], kinds, written);
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
      return present({ ...LIST, schema: { type: 'array', items, ...($defs && { $defs }) }, type: only });
    }
    const finished = item && this.finished.of(item, kinds);
    if (finished) return finish(finished);
    const schema = this.generator.finish(this.generator.define(type));
    return { ...LIST, schema, ...(item && { type: item }) };
  }

  /** @param types alternatives; a finished answer among them needs no schema */
  private compileData(
    types: readonly ts.Type[],
    kinds: readonly OperationKind[],
    written?: ts.TypeNode,
  ): CompiledOutput {
    const data = types.filter((type) => !isNothing(type) && this.finished.of(type, kinds) === undefined);
    const definitions = data.map((type) =>
      this.generator.addAccessed(written && { node: written }, this.generator.define(this.defined(type))),
    );
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

/** The type of a result, without the promise around it. */
function resultType(node: ts.TypeNode | undefined): ts.TypeNode | undefined {
  const isPromise = node && ts.isTypeReferenceNode(node) && node.typeName.getText() === 'Promise';
  return isPromise ? node.typeArguments?.[0] : node;
}

function finish(finished: NonNullable<ReturnType<FinishedTypes['of']>>): CompiledOutput {
  return finished === 'content' || finished === 'mixed' ? NOTHING : { ...NOTHING, protocolResult: finished };
}

/** A choice between definitions. If all are bare types, it is written as `{ type: ["string", "null"] }`. */
function oneOf(definitions: readonly Definition[]): Definition {
  const parts = distinct(definitions);
  if (parts.length === 1) return parts[0]!;
  const types = parts.map((each) => (Object.keys(each).length === 1 ? each.type : undefined));
  return types.every((type) => type !== undefined) ? { type: types.flat() } : { anyOf: parts };
}

/** The protocol's results, as core and the official SDK name them. */
const RESULTS: Readonly<Record<string, ProtocolResult>> = {
  ToolResult: 'tool',
  CallToolResult: 'tool',
  CompatibilityCallToolResult: 'tool',
  PromptResult: 'prompt',
  GetPromptResult: 'prompt',
  ResourceResult: 'resource',
  ReadResourceResult: 'resource',
};

/** The content types that such results contain. */
const CONTENT = new Set([
  'TextContent', 'ImageContent', 'AudioContent', 'ResourceLink', 'EmbeddedResource', 'ContentBlock', 'PromptMessage',
  'ResourceContents', 'TextResourceContents', 'BlobResourceContents',
]); // prettier-ignore

const SHAPES: Partial<Record<OperationKind, ProtocolResult>> = {
  tool: 'tool',
  prompt: 'prompt',
  resource: 'resource',
  resourceTemplate: 'resource',
};

/** A kind of answer that is sent unchanged and has no schema of its own. */
type Finished = ProtocolResult | 'content' | 'mixed';

/** Recognises the types of finished answers, by their names and by their form. */
class FinishedTypes {
  private readonly shapes: ResultShapes;

  constructor(
    private readonly checker: ts.TypeChecker,
    private readonly packages: PackageSymbols,
  ) {
    this.shapes = new ResultShapes(checker);
  }

  /**
   * Returns the kind of finished answer that a type is; undefined for data.
   *
   * @param kinds of the method: only methods of tools may answer with something that has the form of a tool's
   * result
   * @returns `mixed` if only some of the alternatives are results of the protocol
   */
  of(type: ts.Type, kinds: readonly OperationKind[], annotation?: ts.TypeNode): Finished | undefined {
    const name = this.packages.protocolType(type, annotation);
    if (name !== undefined && Object.hasOwn(RESULTS, name)) return RESULTS[name];
    if (name !== undefined && CONTENT.has(name)) return 'content';
    // The text of a prompt is not data, alone or beside content.
    const saysText = kinds.every((kind) => kind === 'prompt');
    if (type.isUnion())
      return saysText && this.isContent(type, saysText) ? 'content' : this.ofUnion(type, kinds);
    if (this.checker.isArrayType(type) || this.checker.isTupleType(type)) {
      const items = this.checker.getTypeArguments(type as ts.TypeReference);
      return items.length > 0 && items.every((item) => this.isContent(item, saysText))
        ? 'content'
        : undefined;
    }
    return kinds.map((kind) => SHAPES[kind]).find((result) => result && this.shapes.fits(type, result));
  }

  /**
   * Whether an item of a list is content. Lists inside lists do not count, because a recursive type has
   * endless lists.
   *
   * @param saysText the content may have texts beside it
   */
  private isContent(item: ts.Type, saysText = false): boolean {
    const name = this.packages.protocolType(item);
    if (name !== undefined && (CONTENT.has(name) || Object.hasOwn(RESULTS, name))) return true;
    if (!item.isUnion()) return false;
    const isText = (part: ts.Type) => saysText && !!(part.flags & ts.TypeFlags.StringLike);
    const others = item.types.filter((part) => !isText(part));
    return others.length > 0 && others.every((part) => !part.isUnion() && this.isContent(part));
  }

  private ofUnion(type: ts.UnionType, kinds: readonly OperationKind[]): Finished | undefined {
    const parts = type.types.filter((part) => !isNothing(part));
    const found = parts.map((part) => this.of(part, kinds));
    const [first] = found;
    if (found.every((each) => each === first)) return first;
    const isResult = found.some((each) => each !== undefined && each !== 'content');
    if (isResult) return 'mixed';
    return found.every((each) => each === 'content') ? 'content' : undefined;
  }
}
