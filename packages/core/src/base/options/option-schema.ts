/** A problem with an option, and what to do about it. */
export interface OptionFault {
  message: string;
  fix: string;
}

/** Whose options they are, such as `createMcpServer`, and the path within them; empty at their root. */
export interface OptionPlace {
  readonly owner: string;
  readonly path?: string | undefined;
  /** Options of earlier releases, each with what it is now, as `FormerOptions` says. */
  readonly former?: FormerOptions | undefined;
}

/**
 * What earlier releases called an option, by its path, with its path of today. A value that has another name now is
 * written as in code.
 *
 * @example
 * { legacy: 'stateful', "output.undeclared: 'allow'": "output.undeclared: 'keep'" }
 */
export type FormerOptions = Readonly<Record<string, string>>;

/** The rule for the value of an option. */
export interface OptionRule {
  /** Ends the sentence "The option … must be …". */
  readonly expected: string;
  /**
   * The texts that the value, or an item of it, may be. For any other text, the message names the nearest
   * one.
   */
  readonly words?: readonly string[];
  /** True when messages must not repeat the value. */
  readonly secret?: boolean;
  /** Checks the value as a whole. */
  accepts(value: unknown): boolean;
  /** Checks the inside of a value that was accepted, and returns the faults there. */
  inside?(value: unknown, place: OptionPlace): readonly OptionFault[];
}

/** The rule of an option that may be left out, with its default. */
export interface OptionalRule<Value> extends OptionRule {
  readonly default?: Exclude<Value, undefined>;
  readonly required?: never;
}

/** The rule of an option that is required. `required` makes it. */
export interface RequiredRule extends OptionRule {
  readonly required: true;
}

/**
 * Every option of an interface with its rule and its default. An option that the schema forgets, or that the interface
 * lacks, fails to compile.
 *
 * @example
 * const limits = { points: { ...positiveCount, default: 600 } } satisfies OptionSchema<{ points?: number }>;
 */
export type OptionSchema<Options> = {
  readonly [Name in keyof Options]-?: object extends Pick<Options, Name>
    ? OptionalRule<Options[Name]>
    : RequiredRule;
};

/** A schema of any interface. */
export type AnyOptionSchema = Readonly<
  Record<string, OptionRule & { readonly default?: unknown; readonly required?: boolean | undefined }>
>;

type Defaulted<Schema> = {
  [Name in keyof Schema]: Schema[Name] extends { readonly default: unknown } ? Name : never;
}[keyof Schema];

/** Options with their defaults filled in. */
export type WithDefaults<Options, Schema> = Omit<Options, Defaulted<Schema> & keyof Options> &
  Required<Pick<Options, Defaulted<Schema> & keyof Options>>;

/** Returns the options, with the schema's defaults for those that are left out. */
export function withDefaults<Options extends object, Schema extends AnyOptionSchema>(
  schema: Schema,
  options: Options,
): WithDefaults<Options, Schema> {
  const complete = { ...options } as Record<string, unknown>;
  for (const [name, { default: value }] of Object.entries(schema)) {
    if (complete[name] === undefined && value !== undefined) complete[name] = value;
  }
  return complete as WithDefaults<Options, Schema>;
}

/** The same rules for changes: an option that is left out keeps its value. */
export function allOptional(schema: AnyOptionSchema): AnyOptionSchema {
  return Object.fromEntries(
    Object.entries(schema).map(([name, rule]) => [name, { ...rule, required: false, default: undefined }]),
  );
}
