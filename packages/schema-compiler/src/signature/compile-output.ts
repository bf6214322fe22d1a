import type { JsonSchema } from '@toolwright/manifest';
import { ts } from 'typescript-json-schema';
import type { PackageSymbols } from '../discover/package-symbols.js';
import { finishSchema } from '../post/finish-schema.js';
import { classifyType } from '../types/classify-type.js';
import { acceptsUndefined } from '../types/members.js';
import type { SchemaGenerator } from '../types/schema-generator.js';

export interface CompiledOutput {
  /** Null where the method returns nothing, or content blocks that are sent as they are. */
  schema: JsonSchema | null;
  wrap: boolean;
  stream: boolean;
  /** The awaited type, or what a stream yields, where there is a schema. */
  type?: ts.Type;
}

/** Core's types that are a finished answer: they go out as they are and are described by the protocol. */
const FINISHED = new Set([
  'TextContent', 'ImageContent', 'AudioContent', 'ResourceLink', 'EmbeddedResource', 'ContentBlock', 'ToolResult',
  'CallToolResult', 'PromptMessage', 'PromptResult', 'ResourceContents', 'ResourceResult',
]); // prettier-ignore

const NOTHING: CompiledOutput = { schema: null, wrap: false, stream: false };

/** Builds the schema of what a method gives back, awaited. */
export class OutputCompiler {
  constructor(
    private readonly generator: SchemaGenerator,
    private readonly checker: ts.TypeChecker,
    private readonly core: PackageSymbols,
  ) {}

  compile(signature: ts.Signature, declaration: ts.SignatureDeclaration): CompiledOutput {
    this.generator.begin('output');
    const place = declaration.type ?? declaration;
    return this.generator.reporter.at(place, () => {
      try {
        return this.compileType(signature.getReturnType(), declaration);
      } catch (error) {
        return { ...NOTHING, schema: this.generator.refuse(error, 'The result') };
      }
    });
  }

  private compileType(returned: ts.Type, declaration: ts.SignatureDeclaration): CompiledOutput {
    const type = this.checker.getAwaitedType(returned) ?? returned;
    if (isNothing(type) || this.isFinished(type, declaration.type)) return NOTHING;
    const special = classifyType(type, this.checker);
    const stream = special?.kind === 'iterable';
    if (special?.kind === 'iterable' && special.item && this.isFinished(special.item))
      return { ...NOTHING, stream: true };
    const schema = finishSchema(
      this.generator.getTypeDefinition(this.defined(type)),
      this.generator.reffedDefinitions,
    );
    return {
      schema,
      wrap: schema.type !== 'object',
      stream,
      type: special?.kind === 'iterable' ? special.item : type,
    };
  }

  private defined(type: ts.Type): ts.Type {
    if (!type.isUnion() || !acceptsUndefined(type)) return type;
    return type.types.some((part) => part.flags & ts.TypeFlags.Null)
      ? type
      : this.checker.getNonNullableType(type);
  }

  private isFinished(type: ts.Type, annotation?: ts.TypeNode): boolean {
    const named = this.core.coreType(type) ?? this.core.coreAnnotation(annotation);
    if (named !== undefined && FINISHED.has(named)) return true;
    if (type.isUnion()) return type.types.every((part) => isNothing(part) || this.isFinished(part));
    const item = this.checker.isArrayType(type)
      ? this.checker.getTypeArguments(type as ts.TypeReference)[0]
      : undefined;
    return item !== undefined && this.isFinished(item);
  }
}

function isNothing(type: ts.Type): boolean {
  const none = ts.TypeFlags.Void | ts.TypeFlags.Undefined | ts.TypeFlags.Never;
  return !!(type.flags & none) || (type.isUnion() && type.types.every((part) => part.flags & none));
}
