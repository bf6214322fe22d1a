import type { ts } from 'typescript-json-schema';

export type RegistrationKind = 'tool' | 'resource' | 'resourceTemplate' | 'prompt';

/** One call that registers something with a server of the official SDK. */
export interface Registration {
  readonly kind: RegistrationKind;
  readonly call: ts.CallExpression;
  /** The statement that consists of the call. */
  readonly statement: ts.ExpressionStatement;
  readonly name: string;
  /** The options by their names in `@toolwright/core`: `title`, `annotations`, `meta`, … */
  readonly options: ReadonlyMap<string, ts.Expression>;
  readonly description: ts.Expression | undefined;
  readonly input: ts.Expression | undefined;
  readonly output: ts.Expression | undefined;
  /** The URI of a resource, or the template of a resource template. */
  readonly uri: ts.Expression | undefined;
  readonly handler: ts.Expression;
  /** The class whose method registers. It gets the new method. */
  readonly owner: NamedClass | undefined;
}

export type NamedClass = ts.ClassDeclaration & { readonly name: ts.Identifier };
