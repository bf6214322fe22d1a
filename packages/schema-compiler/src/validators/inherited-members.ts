import { ts } from 'typescript-json-schema';

/** TypeScript's flag of a property that a mapped type created, such as one of `Partial<T>`. */
const MAPPED = 1 << 18;

/** Whether a mapped type created a property. */
export function isMapped(property: ts.Symbol): boolean {
  const { links } = property as ts.Symbol & { links?: { checkFlags?: number } };
  return !!((links?.checkFlags ?? 0) & MAPPED);
}

/** The declarations of a property in the base classes of the class that declares it, nearest first. */
export function membersAbove(property: ts.Symbol, checker: ts.TypeChecker): ts.Declaration[] {
  const found: ts.Declaration[] = [];
  let at: ts.Node | undefined = property.valueDeclaration?.parent;
  const seen = new Set<ts.Node>();
  while (at && ts.isClassLike(at) && !seen.has(at)) {
    seen.add(at);
    const clause = at.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword);
    const base = clause?.types[0] && checker.getTypeAtLocation(clause.types[0]);
    const member = base?.getProperty(property.getName())?.valueDeclaration;
    if (!member || !ts.isPropertyDeclaration(member)) return found;
    if (!found.includes(member)) found.push(member);
    at = member.parent;
  }
  return found;
}
