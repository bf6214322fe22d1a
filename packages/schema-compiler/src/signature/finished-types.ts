import { ts } from 'typescript-json-schema';
import type { OperationKind } from '../discover/find-services.js';
import type { PackageSymbols } from '../discover/package-symbols.js';
import { isNothing } from '../types/members.js';
import { ResultShapes, type ProtocolResult } from './result-shapes.js';

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
export type Finished = ProtocolResult | 'content' | 'mixed';

/** Recognises the types of finished answers, by their names and by their form. */
export class FinishedTypes {
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
    // The text of a prompt is no data, whether it stands alone or beside content.
    const saysText = kinds.every((kind) => kind === 'prompt');
    if (type.isUnion())
      return saysText && this.isContent(type, saysText) ? 'content' : this.ofUnion(type, kinds);
    if (this.checker.isArrayType(type)) {
      const [item] = this.checker.getTypeArguments(type as ts.TypeReference);
      return item && this.isContent(item, saysText) ? 'content' : undefined;
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
