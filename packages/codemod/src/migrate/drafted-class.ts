import { ts } from '@toolwright/schema-compiler/project';
import { type CodeStyle, declarationOf } from './constants.js';
import { type MigrationNote, ConversionProblem, noteAt } from './migration.js';
import type { InlineHandler } from './plan-parameters.js';
import { localsAround, namesIn } from './references.js';
import type { NamedClass, FoundRegistration } from './registration.js';
import type { Rewriter } from './rewriter.js';
import { isSdkServer } from './sdk-server.js';
import type { ShapeWriter } from './zod/type-writer.js';

/**
 * How far a result is rewritten. 0: `text` and `structured`. 1: the protocol's own result, declared as such. 2:
 * the same, and TypeScript infers its type. 3: not at all.
 */
export type Level = 0 | 1 | 2 | 3;

/** What the writing of a method needs to know about its file. */
export interface DraftContext {
  readonly file: ts.SourceFile;
  readonly checker: ts.TypeChecker;
  readonly style: CodeStyle;
  readonly types: ShapeWriter;
  /** The name of core's function `text` in this file. */
  readonly textName: string;
  /** Every name in the file. */
  readonly taken: ReadonlySet<string>;
}

/** A method of the new class. */
export interface DraftedMethod {
  readonly registration: FoundRegistration;
  /** With its comments and decorator, indented for a class. */
  readonly text: string;
  /** Names of `@toolwright/core` that it uses. */
  readonly imports: ReadonlySet<string>;
  /** What the constructor of the class must take for it. */
  readonly bound: readonly BoundParameter[];
  /** What it does not say any more. */
  readonly notes: readonly ConversionProblem[];
}

/** The fields of the new class, by name: what functions that registered had as parameters. */
export type ClassFields = Map<string, BoundParameter>;

/** @throws {ConversionProblem} a field of this name has another type already */
export function addFields(fields: ClassFields, bound: readonly BoundParameter[]): void {
  for (const { name, type, declaration } of bound) {
    const known = fields.get(name);
    if (known && known.type !== type)
      throw new ConversionProblem(
        declaration,
        `"${name}" is ${type} here, and ${known.type} in another function of this file.`,
        'Give one of them another name, and run the command again.',
      );
  }
  for (const each of bound) if (!fields.has(each.name)) fields.set(each.name, each);
}

export function constructorText(fields: ClassFields, { indent }: CodeStyle): string {
  if (fields.size === 0) return '';
  const parameters = [...fields.values()].map(({ name, type }) => `private readonly ${name}: ${type}`);
  const line = parameters.join(', ');
  if (line.length <= 80) return `${indent}constructor(${line}) {}\n\n`;
  const lines = parameters.map((each) => `${indent.repeat(2)}${each},\n`).join('');
  return `${indent}constructor(\n${lines}${indent}) {}\n\n`;
}

/** The names that may become fields: those of parameters around the registrations. */
export function parametersAround(registrations: readonly FoundRegistration[]): Set<string> {
  const names = new Set<string>();
  for (const { call } of registrations)
    for (let node: ts.Node = call; node.parent; node = node.parent)
      if (ts.isFunctionLike(node))
        for (const { name } of node.parameters) if (ts.isIdentifier(name)) names.add(name.text);
  return names;
}

/** How an application gives the server a class whose constructor takes what the container does not know. */
function provideByHand(className: string, parameters: string): string {
  return `List it in services, and add { provide: ${className}, useFactory: () => new ${className}(${parameters}) } to providers of createMcpServer (docs/dependency-injection.md).`;
}

/** What the application must do now: give the class what its functions were called with. */
export function noteFields(fields: ClassFields, className: string): MigrationNote[] {
  const [first] = fields.values();
  if (!first) return [];
  const names = [...fields.keys()].join(', ');
  const reason = `Its constructor takes what a function around the registrations had: ${names}.`;
  const advice = provideByHand(className, names);
  return [noteAt(first.declaration, `class ${className}`, { reason, advice })];
}

/**
 * Makes a service of a class whose methods registered: its handlers become methods beside them.
 *
 * @param types declarations to write above the class
 */
export function addToClass(
  owner: NamedClass,
  methods: readonly DraftedMethod[],
  { rewriter, types }: { rewriter: Rewriter; types: string },
): void {
  const start = owner.getStart();
  const comment = ts.getLeadingCommentRanges(owner.getSourceFile().text, owner.getFullStart())?.at(-1);
  // Two insertions at one place would come in the order in which they are made.
  if (comment) rewriter.replaceRange(comment.pos, comment.pos, types);
  rewriter.replaceRange(start, start, `${comment ? '' : types}@McpService()\n`);
  const end = owner.getEnd() - 1;
  const text = methods.map(({ text }) => `\n${text}`).join('');
  rewriter.replaceRange(end, end, text);
}

/** The names that a new method cannot have. */
export function memberNames(owner: NamedClass): Set<string> {
  const names = owner.members.flatMap((member) => [
    ...(member.name ? [member.name.getText()] : []),
    ...(ts.isConstructorDeclaration(member) ? member.parameters.map(({ name }) => name.getText()) : []),
  ]);
  return new Set(names);
}

/** A service is built by the container, which cannot know what its constructor was called with. */
export function noteOwner(owner: NamedClass): MigrationNote {
  const made = owner.members.find(ts.isConstructorDeclaration);
  const parameters = made?.parameters.map(({ name }) => name.getText()).join(', ') ?? '';
  const name = owner.name.text;
  return noteAt(owner, `class ${name}`, {
    reason: parameters
      ? `It is a service now, and its constructor takes ${parameters}.`
      : 'It is a service now.',
    advice:
      (parameters ? provideByHand(name, parameters) : 'List it in the services of createMcpServer.') +
      ' Remove what it still does with the server of the SDK.',
  });
}

/** A parameter of the function that registers. The constructor of the new class takes it in its place. */
export interface BoundParameter {
  readonly name: string;
  readonly type: string;
  /** The name of the parameter, or where it is taken out of one. */
  readonly declaration: ts.ParameterDeclaration | ts.BindingElement;
}

/**
 * What a handler uses of the function around it. Its parameters become fields of the class, since a class belongs to the
 * module.
 *
 * @throws {ConversionProblem} the handler uses something else that a class cannot reach
 */
export function bindParameters(
  handler: InlineHandler,
  owner: ts.ClassDeclaration | undefined,
  { rewriter, checker }: { rewriter: Rewriter; checker: ts.TypeChecker },
): BoundParameter[] {
  if (handler.asteriskToken)
    throw new ConversionProblem(handler, 'The handler is a generator.', 'Write the method by hand.');
  const server = namesIn(handler).find((each) => isSdkServer(each, checker));
  if (server)
    throw new ConversionProblem(
      server,
      'The handler uses the server of the SDK.',
      'Write the method by hand, and use ctx: ToolContext for messages to the client (docs/context.md).',
    );
  // In an arrow function, `this` is the object whose method registers. The new method belongs to the same class.
  if (usesThis(handler.body) && !(owner && ts.isArrowFunction(handler)))
    throw new ConversionProblem(handler, 'The handler uses "this".', 'Make it a method of that class.');
  const bound = new Map<string, BoundParameter>();
  for (const local of localsAround(handler, checker)) {
    const declaration = owner ? undefined : parameterOf(local, handler, checker);
    if (!declaration)
      throw new ConversionProblem(
        local,
        `The handler uses "${local.text}", which belongs to the function around it.`,
        `Move "${local.text}" to the module, or write the class by hand and take it in the constructor (docs/dependency-injection.md).`,
      );
    bound.set(local.text, { name: local.text, type: typeOf(declaration, checker), declaration });
    const isShort = ts.isShorthandPropertyAssignment(local.parent);
    rewriter.replace(local, isShort ? `${local.text}: this.${local.text}` : `this.${local.text}`);
  }
  return [...bound.values()];
}

/** The parameter of a function around the handler, if `this` in its place would be the new class. */
function parameterOf(
  local: ts.Identifier,
  handler: InlineHandler,
  checker: ts.TypeChecker,
): BoundParameter['declaration'] | undefined {
  const declaration = declarationOf(local, checker);
  if (!declaration) return undefined;
  const isParameter = ts.isParameter(declaration) && ts.isIdentifier(declaration.name);
  const isTakenOut =
    ts.isBindingElement(declaration) && ts.findAncestor(declaration, ts.isParameter) !== undefined;
  if (!isParameter && !isTakenOut) return undefined;
  // There is a function with a `this` of its own between.
  const between = ts.findAncestor(local, (each) => each === handler || ownsThis(each));
  return between === handler ? declaration : undefined;
}

function typeOf(declaration: BoundParameter['declaration'], checker: ts.TypeChecker): string {
  if (ts.isParameter(declaration) && declaration.type && !declaration.questionToken)
    return declaration.type.getText();
  const type = checker.getTypeAtLocation(declaration);
  return checker.typeToString(type, declaration, ts.TypeFormatFlags.NoTruncation);
}

function ownsThis(node: ts.Node): boolean {
  return ts.isFunctionDeclaration(node) || ts.isFunctionExpression(node) || ts.isMethodDeclaration(node);
}

function usesThis(node: ts.Node): boolean {
  if (node.kind === ts.SyntaxKind.ThisKeyword) return true;
  return (
    !ownsThis(node) &&
    !ts.isClassLike(node) &&
    (ts.forEachChild(node, (each) => usesThis(each) || undefined) ?? false)
  );
}
