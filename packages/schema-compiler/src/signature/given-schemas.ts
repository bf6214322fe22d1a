import { type JsonSchema, PLACE_NOTES } from '@toolwright/json';
import { type Definition, ts } from '../generator/tjs-adapter.js';
import { toJsonDefault } from '../defaults/apply-default.js';
import { foldWritten } from '../defaults/fold-constant.js';
import type { Reporter } from '../diagnostics/reporter.js';
import type { FoundDecorator } from '../discover/package-symbols.js';
import type { SchemaGenerator } from '../generator/schema-generator.js';
import { acceptsUndefined, acceptsNull } from '../types/members.js';
import type { SignatureParameter } from './classify-parameters.js';

/** What TypeScript knows about a schema of Zod, Valibot, ArkType or the like. */
interface StandardTypes {
  /** What it accepts. */
  input: ts.Type;
  /** What it returns. */
  output: ts.Type;
  node: ts.Node;
}

/** The decorators whose first argument holds such a schema, and the option that it is in. */
const HOLDERS: Readonly<Record<string, string | undefined>> = { Schema: undefined, McpTool: 'inputSchema' };

/** Whether an expression is a schema with Standard Schema. Only its type is read: the compiler runs no code. */
function isStandardSchema(expression: ts.Expression, checker: ts.TypeChecker): boolean {
  return standardOf(checker.getTypeAtLocation(expression), checker) !== undefined;
}

/**
 * Reads the Standard Schemas in decorators. The server asks them for their JSON Schema when it starts. What is
 * published until then follows from their types.
 */
export class StandardSchemas {
  constructor(
    private readonly generator: SchemaGenerator,
    private readonly checker: ts.TypeChecker,
  ) {}

  /** The schema that a decorator of a method or a parameter holds. */
  of(decorators: readonly FoundDecorator[]): StandardTypes | undefined {
    for (const { name, arguments: given, node } of decorators) {
      const [argument] = given;
      if (!argument || !Object.hasOwn(HOLDERS, name)) continue;
      const option = HOLDERS[name];
      const types = this.typesIn(this.checker.getTypeAtLocation(argument), option, argument);
      if (types) return { ...types, node };
    }
    return undefined;
  }

  /** The name of the schema that a parameter has its type of, as with `z.infer<typeof page>`. */
  namedByType({ declaration }: SignatureParameter): string | undefined {
    const node = declaration.type && this.withoutAlias(declaration.type);
    const [query] = node && ts.isTypeReferenceNode(node) ? (node.typeArguments ?? []) : [];
    if (!query || !ts.isTypeQueryNode(query)) return undefined;
    const { exprName } = query;
    const isSchema = standardOf(this.checker.getTypeAtLocation(exprName), this.checker) !== undefined;
    return isSchema ? exprName.getText() : undefined;
  }

  /** `type Page = z.infer<typeof page>` */
  private withoutAlias(node: ts.TypeNode): ts.TypeNode {
    if (!ts.isTypeReferenceNode(node) || node.typeArguments) return node;
    const symbol = this.checker.getSymbolAtLocation(node.typeName);
    const named =
      symbol && symbol.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol;
    return named?.declarations?.find((each) => ts.isTypeAliasDeclaration(each))?.type ?? node;
  }

  /** One schema for all arguments. Beside it, none may be on a parameter: it would be ignored. */
  ofMethod(decorators: readonly FoundDecorator[], data: SignatureParameter[]): StandardTypes | undefined {
    const found = this.of(decorators);
    const doubled = found && data.find((parameter) => this.of(parameter.decorators));
    if (doubled)
      this.report(`${doubled.name}: a schema for all arguments decides it, too.`, doubled.declaration);
    return found;
  }

  /** The only parameter, if the output of the schema for all arguments as a whole is its value. */
  wholeOf({ output }: StandardTypes, data: SignatureParameter[]): SignatureParameter | undefined {
    const [only] = data;
    if (!only || data.length > 1 || only.rest || only.decorators.some(({ name }) => name === 'Arg'))
      return undefined;
    const named = this.checker.getPropertyOfType(output, only.name);
    return !named || this.checker.isTypeAssignableTo(output, only.type) ? only : undefined;
  }

  /** The arguments object of a schema for all arguments. Doc comments of parameters describe its properties. */
  argumentsOf(
    standard: StandardTypes,
    data: SignatureParameter[],
    whole: SignatureParameter | undefined,
  ): Definition {
    const { properties = {}, ...root } = this.generator.resolve(this.infer(standard.input));
    const described = { ...properties };
    if (whole) this.checkType(standard.output, whole);
    for (const parameter of data) {
      if (parameter === whole) continue;
      const { name, declaration } = parameter;
      const property = this.checker.getPropertyOfType(standard.output, name);
      if (property) this.checkType(this.checker.getTypeOfSymbolAtLocation(property, declaration), parameter);
      else this.report(`${name}: the schema returns no property of this name.`, declaration);
      described[name] = { ...described[name], ...this.notesOf(parameter) };
    }
    return {
      ...root,
      type: 'object',
      ...(Object.keys(described).length > 0 && { properties: described }),
    };
  }

  /** The schema of one parameter. */
  define(standard: StandardTypes, parameter: SignatureParameter): Definition {
    this.checkType(standard.output, parameter);
    return { ...this.infer(standard.input), ...this.notesOf(parameter) };
  }

  /**
   * Infers a schema from a type. Its problems do not count, because the server publishes another schema. If it
   * cannot, it says so when it starts.
   */
  private infer(type: ts.Type): Definition {
    const sent = acceptsUndefined(type) && !acceptsNull(type) ? this.checker.getNonNullableType(type) : type;
    return this.generator.reporter.discarding(() => {
      try {
        return { ...this.generator.define(sent, { ignoreUndefined: true }) };
      } catch (error) {
        return this.generator.refuse(error);
      }
    });
  }

  /** What the doc comment of a parameter says about it. Its constraints are those of the schema. */
  private notesOf({ symbol, decorators }: SignatureParameter): Definition {
    const { keywords } = this.generator.docs.of(symbol);
    const notes = PLACE_NOTES.filter((keyword) => keywords[keyword] !== undefined);
    const isSensitive = decorators.some(({ name }) => name === 'Sensitive');
    return {
      ...Object.fromEntries(notes.map((keyword) => [keyword, keywords[keyword]])),
      ...(isSensitive && { 'x-sensitive': true }),
    };
  }

  private checkType(output: ts.Type, { name, type, declaration }: SignatureParameter): void {
    if (this.checker.isTypeAssignableTo(output, type)) return;
    const [returned, declared] = [output, type].map((each) => this.checker.typeToString(each));
    this.report(`${name}: the schema returns ${returned}, and the parameter is ${declared}.`, declaration);
  }

  private report(detail: string, node: ts.Node): void {
    this.generator.reporter.report('TW_SCHEMA_STANDARD_TYPE', detail, node);
  }

  private typesIn(
    type: ts.Type,
    option: string | undefined,
    node: ts.Expression,
  ): Omit<StandardTypes, 'node'> | undefined {
    if (option === undefined) return standardOf(type, this.checker);
    const property = this.checker.getPropertyOfType(type, option);
    return property && standardOf(this.checker.getTypeOfSymbolAtLocation(property, node), this.checker);
  }
}

/** The types of `schema['~standard'].types`. Without them, nothing is known. */
function standardOf(type: ts.Type, checker: ts.TypeChecker): Omit<StandardTypes, 'node'> | undefined {
  const member = (holder: ts.Type, name: string): ts.Type | undefined => {
    const symbol = checker.getPropertyOfType(holder, name);
    return symbol && checker.getNonNullableType(checker.getTypeOfSymbol(symbol));
  };
  const standard = member(type, '~standard');
  if (!standard || !checker.getPropertyOfType(standard, 'validate')) return undefined;
  const types = member(standard, 'types');
  const part = (name: string) => {
    const symbol = types && checker.getPropertyOfType(types, name);
    return symbol ? checker.getTypeOfSymbol(symbol) : checker.getAnyType();
  };
  return { input: part('input'), output: part('output') };
}

/** A schema that the author wrote. */
export interface GivenSchema {
  schema: JsonSchema;
  /** Published unchanged. */
  exact: boolean;
  node: ts.Node;
}

/** Evaluates `@Schema({ … }, { exact: true })`. An argument that is computed at run time is reported. */
export function readSchemaDecorator(
  decorators: FoundDecorator[],
  checker: ts.TypeChecker,
  reporter: Reporter,
): GivenSchema | undefined {
  const decorator = decorators.find(({ name }) => name === 'Schema');
  const [given, options] = decorator?.arguments ?? [];
  if (!decorator || !given || isStandardSchema(given, checker)) return undefined;
  const schema = foldWritten(given, checker);
  if (!schema || typeof schema.value !== 'object' || schema.value === null) {
    reporter.report('TW_SCHEMA_NOT_CONSTANT', 'The argument of @Schema is not a constant.', given);
    return undefined;
  }
  const folded = options && (foldWritten(options, checker)?.value as { exact?: boolean } | undefined);
  return {
    schema: toJsonDefault(schema.value) as JsonSchema,
    exact: folded?.exact === true,
    node: decorator.node,
  };
}
