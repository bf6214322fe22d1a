import { ts } from 'typescript-json-schema';
import type { PackageSymbols } from '../discover/package-symbols.js';

/** A call of `elicit` or `sample` of core's `ToolContext`. */
export interface QuestionSite {
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
export function findQuestions(
  file: ts.SourceFile,
  checker: ts.TypeChecker,
  core: PackageSymbols,
): QuestionSite[] {
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
  if (request.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return true;
  return (request.isUnion() ? request.types : [request]).every((part) =>
    ['schema', 'url'].some((name) => {
      const member = part.getProperty(name);
      return member !== undefined && !(member.flags & ts.SymbolFlags.Optional);
    }),
  );
}
