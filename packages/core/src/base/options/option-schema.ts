/** Something wrong with an option, and what to do about it. */
export interface OptionFault {
  message: string;
  fix: string;
}

/** Whose options they are, such as `createMcpServer`, and where in them: nowhere at their root. */
export interface OptionPlace {
  readonly owner: string;
  readonly path?: string;
}

/** What the value of an option must be. */
export interface OptionRule {
  /** Ends the sentence "The option … must be …". */
  readonly expected: string;
  /** The texts that the value, or an item of it, may be: the nearest is named beside another. */
  readonly words?: readonly string[];
  /** Messages do not repeat the value. */
  readonly secret?: boolean;
  /** Looks at the value as a whole. */
  accepts(value: unknown): boolean;
  /** Looks into a value that was accepted, and says what is wrong there. */
  inside?(value: unknown, place: OptionPlace): readonly OptionFault[];
}

/** The rule of an option that may be left out, with what it then is. */
export interface OptionalRule<Value> extends OptionRule {
  readonly default?: Exclude<Value, undefined>;
  readonly required?: never;
}

/** The rule of an option that must be there; made by `required`. */
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

/** A schema whose interface does not matter. */
export type AnyOptionSchema = Readonly<
  Record<string, OptionRule & { readonly default?: unknown; readonly required?: boolean | undefined }>
>;

type Defaulted<Schema> = {
  [Name in keyof Schema]: Schema[Name] extends { readonly default: unknown } ? Name : never;
}[keyof Schema];

/** Options whose defaults are in place. */
export type WithDefaults<Options, Schema> = Omit<Options, Defaulted<Schema> & keyof Options> &
  Required<Pick<Options, Defaulted<Schema> & keyof Options>>;

/** The options, with the schema's defaults for what they leave out. */
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

/** The same rules for changes: what is not among them stays as it is. */
export function allOptional(schema: AnyOptionSchema): AnyOptionSchema {
  return Object.fromEntries(
    Object.entries(schema).map(([name, rule]) => [name, { ...rule, required: false, default: undefined }]),
  );
}
