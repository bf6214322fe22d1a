/**
 * A decorator for a parameter that takes the output of a schema. TypeScript refuses it before a parameter of
 * another type.
 */
export interface StandardParameterDecorator<Output> {
  <Class extends object, Key extends keyof Class, Index extends number>(
    target: Class,
    key: Key,
    index: Index & Fits<Output, TypeAt<Class[Key], Index>>,
  ): void;
}

/**
 * A decorator for a method whose arguments are the output of a schema: as one parameter, or by their names.
 * TypeScript refuses it if the first parameter can be neither.
 */
export interface StandardInputDecorator<Output> {
  <Method extends AnyMethod>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<Method> & FitsMethod<Output, Method>,
  ): void;
  <Method extends AnyMethod>(
    value: Method & FitsMethod<Output, Method>,
    context: ClassMethodDecoratorContext,
  ): void;
  <Class extends new (...args: never[]) => { invoke: AnyMethod }>(
    target: Class & FitsMethod<Output, InstanceType<Class>['invoke']>,
    context?: ClassDecoratorContext,
  ): void;
}

type AnyMethod = (...args: never[]) => unknown;

/** Everything fits `unknown`, and nothing fits a property that nobody has. TypeScript shows it in its message. */
type Fits<Output, Type> = [Output] extends [Type]
  ? unknown
  : { 'the schema returns another type than the parameter has': Output };

type FitsMethod<Output, Method extends AnyMethod> =
  Parameters<Method> extends [infer First, ...unknown[]]
    ? [Output] extends [First]
      ? unknown
      : Fits<NamedPart<Output, First>, First>
    : unknown;

/** What one of the properties of the output can be for a parameter; the output itself if there is none. */
type NamedPart<Output, First> = {
  [Name in keyof Output]: [Output[Name]] extends [First] ? First : never;
}[keyof Output] extends infer Part
  ? [Part] extends [never]
    ? Output
    : Part
  : never;

/** The type of one parameter. A rest parameter takes a list. */
type TypeAt<Method, Index extends number> = Method extends (...args: infer All) => unknown
  ? number extends All['length']
    ? All[Index] | All[Index][]
    : All[Index]
  : never;
