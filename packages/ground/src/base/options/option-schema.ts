import { cutText, didYouMean, isObject } from '@toolwright/json';
import { ConfigurationError, type ConfigurationProblem } from '../errors/configuration-error.js';
import { callerOf } from '../metadata/call-site.js';

/** A problem with an option, and what to do about it. */
export interface OptionProblem {
  message: string;
  fix: string;
}

/** Whose options they are, such as `createMcpServer`, and the path within them; empty at their root. */
export interface OptionPlace {
  readonly owner: string;
  readonly path?: string | undefined;
}

/** A span of time: `'250ms'`, `'30s'`, `'1m'`, `'2h'`, `'1d'`, or a number of milliseconds. */
export type Duration = number | DurationText;

/** A span of time as text. */
export type DurationText = `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`;

/** An option after it was read: a duration is a number of milliseconds then. */
export type Milliseconds<Value> = Value extends DurationText ? number : Value;

/** The rule for the value of an option. */
export interface OptionRule {
  /** The end of the sentence "The option … must be …". */
  readonly expected: string;
  /**
   * The texts that the value, or an item of it, may be. For any other text, the message names the nearest
   * one.
   */
  readonly words?: readonly string[];
  /** True when messages must not repeat the value. */
  readonly secret?: boolean;
  /** The rule of each item of a list. */
  readonly item?: OptionRule;
  /** What to do about a value that is not accepted, where more can be said than that it must be corrected. */
  remedy?(value: unknown): string | undefined;
  /** Checks the value as a whole. */
  accepts(value: unknown): boolean;
  /** Converts an accepted value to the one that the application gets. A duration is read as milliseconds. */
  read?(value: unknown): unknown;
  /** Checks the inside of a value that was accepted, and returns the problems there. */
  inside?(value: unknown, place: OptionPlace): readonly OptionProblem[];
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

/** The options, where every option with a default is present. */
export type CompletedOptions<Options, Schema> = Omit<Options, Defaulted<Schema> & keyof Options> &
  Required<Pick<Options, Defaulted<Schema> & keyof Options>>;

/** Options with their defaults filled in, and with milliseconds for each duration. */
export type WithDefaults<Options, Schema = object> = {
  [Name in keyof CompletedOptions<Options, Schema>]: Milliseconds<CompletedOptions<Options, Schema>[Name]>;
};

/** Returns the options as they are used: an option that is left out has its default, and each value is parsed. */
export function withDefaults<Options extends object, Schema extends AnyOptionSchema>(
  schema: Schema,
  options: Options,
): WithDefaults<Options, Schema> {
  const complete = { ...options } as Record<string, unknown>;
  for (const [name, rule] of Object.entries(schema)) {
    const value = complete[name] === undefined ? rule.default : complete[name];
    if (value !== undefined) complete[name] = rule.read ? rule.read(value) : value;
  }
  return complete as WithDefaults<Options, Schema>;
}

/** The same rules for changes: an option that is left out keeps its value. */
export function allOptional(schema: AnyOptionSchema): AnyOptionSchema {
  return Object.fromEntries(
    Object.entries(schema).map(([name, rule]) => [name, { ...rule, required: false, default: undefined }]),
  );
}

/** A message shows at most this many characters of a text. */
const MAX_SHOWN = 60;

/** All problems of options at every depth: unknown names, missing options, wrong values. */
export function findOptionProblems(
  schema: AnyOptionSchema,
  options: unknown,
  { owner, path = '' }: OptionPlace,
): OptionProblem[] {
  const fix = `Correct the options of ${owner}.`;
  if (!isObject(options))
    return [
      {
        message: `The options must be an object, not ${kindOf(options)}.`,
        fix: inObject(schema, options) ?? fix,
      },
    ];
  const problems: OptionProblem[] = [];
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(schema, name)) continue;
    const known = Object.keys(schema);
    const here = Object.hasOwn(elsewhere, name) ? elsewhere[name]! : '';
    const meant = Object.hasOwn(schema, here) ? ` Did you mean '${here}'?` : didYouMean(name, known);
    problems.push({
      message: `There is no option "${at(path, name)}".${meant}`,
      fix: `Options of ${path || owner} are: ${known.join(', ')}.`,
    });
  }
  // A boot comes here for each decorator. It loops over keys, because a list of the schema's entries would be most of
  // what it allocates.
  for (const name in schema) {
    const rule = schema[name]!;
    const value = options[name];
    if (value === undefined && !rule.required) continue;
    if (!rule.accepts(value)) {
      const { what, wrong } = firstWrong(value, rule, at(path, name));
      problems.push({
        message: `The option "${at(path, name)}" must be ${rule.expected}, ${what}.${nearestWord(value, rule)}`,
        fix: rule.remedy?.(wrong) ?? fix,
      });
    } else if (rule.inside) problems.push(...rule.inside(value, { owner, path: at(path, name) }));
  }
  return problems;
}

/** How other frameworks call an option of ours. */
const elsewhere: Readonly<Record<string, string>> = {
  parameters: 'inputSchema',
  paramsSchema: 'inputSchema',
  schema: 'inputSchema',
  tools: 'services',
  controllers: 'services',
  cors: 'allowedOrigins',
};

/** Other frameworks take the most important option by itself: `@Tool('search')`, `listen(3000)`. */
function inObject(schema: AnyOptionSchema, value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const fitting = Object.entries(schema).filter(([, rule]) => !rule.secret && rule.accepts(value));
  const found = fitting.find(([, { required }]) => required) ?? fitting.find(([name]) => name === 'name');
  if (!found) return undefined;
  const others = Object.keys(schema).filter((name) => schema[name]!.required && name !== found[0]);
  const more = others.map((name) => `, ${name}: …`).join('');
  return `Write { ${found[0]}: ${describe(value, found[1])}${more} }.`;
}

/** Of a list, the first item that is not accepted. */
function firstWrong(value: unknown, rule: OptionRule, path: string): { what: string; wrong: unknown } {
  const { item, secret } = rule;
  const index = item && !secret && Array.isArray(value) ? value.findIndex((each) => !item.accepts(each)) : -1;
  if (index < 0) return { what: `not ${describe(value, rule)}`, wrong: value };
  const wrong = (value as unknown[])[index];
  return { what: `but ${path}[${index}] is ${describe(wrong, item!)}`, wrong };
}

function at(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function describe(value: unknown, { secret }: OptionRule): string {
  if (secret) return describeSecret(value);
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? JSON.stringify(cutText(value, MAX_SHOWN)) : kindOf(value);
}

/** Says what is wrong with a secret, and shows neither its text nor its length. An unset variable is a frequent cause. */
function describeSecret(value: unknown): string {
  if (value === '') return 'an empty string';
  if (typeof value === 'string') return 'a string of another form';
  const texts = Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string');
  if (!texts) return kindOf(value);
  return value.includes('') ? 'a list with an empty string' : 'a list with a string of another form';
}

/** For a text that is not allowed, the nearest allowed one. In a list, the first such text counts. */
function nearestWord(value: unknown, { words = [], secret }: OptionRule): string {
  const wrong = [value].flat().find((each) => typeof each === 'string' && !words.includes(each));
  return typeof wrong === 'string' && !secret ? didYouMean(wrong, words) : '';
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.map((each) => typeof each).join(', ') || 'nothing'}`;
  if (value === null || typeof value !== 'object') return value === null ? 'null' : nameOfKind(value);
  const { name } = (value as { constructor?: { name?: string } }).constructor ?? {};
  return name && name !== 'Object' ? `an object of the class ${name}` : 'object';
}

function nameOfKind(value: unknown): string {
  const isClass = typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value));
  return isClass ? `the class ${value.name}` : typeof value;
}

/**
 * Reads options from outside: checks them at every depth and fills in the defaults.
 *
 * @param owner whose options they are, such as `mcpExpress`
 * @throws {ConfigurationError} with all problems
 */
export function parseOptions<Options extends object, Schema extends AnyOptionSchema>(
  owner: string,
  schema: Schema,
  options: Options,
): WithDefaults<Options, Schema> {
  const problems = findOptionProblems(schema, options, { owner });
  if (problems.length > 0) {
    const location = callerOf(owner);
    throw new ConfigurationError(
      problems.map((problem) => ({ ...optionProblem(problem), ...(location && { location }) })),
    );
  }
  return withDefaults(schema, options);
}

/**
 * The error for an option that has the right type, and a value that cannot be used.
 *
 * @param message names the option
 * @param owner the function that was called with it and is still running: the message then has the place of the call
 */
export function wrongOption(message: string, fix: string, owner?: string): ConfigurationError {
  const location = owner === undefined ? undefined : callerOf(owner);
  return new ConfigurationError({ code: 'TW_OPTION_INVALID', message, fix, ...(location && { location }) });
}

/**
 * Checks the first argument of functions that serve a server.
 *
 * @param owner the name of the function
 * @throws {ConfigurationError} for anything else, such as the promise of a server
 */
export function requireServer(owner: string, server: unknown): void {
  const { protocol } = (server ?? {}) as { protocol?: unknown };
  if (typeof protocol === 'object' && protocol !== null) return;
  const isPromise = typeof (server as { then?: unknown } | undefined)?.then === 'function';
  const location = callerOf(owner);
  throw new ConfigurationError({
    code: 'TW_OPTION_INVALID',
    message: `${owner} needs a server, and got ${isPromise ? 'a promise' : kindOf(server)}.`,
    fix: 'Pass what createMcpServer resolves to: `await createMcpServer({ … })`.',
    ...(location && { location }),
  });
}

export function optionProblem(problem: OptionProblem): ConfigurationProblem {
  return { code: 'TW_OPTION_INVALID', ...problem };
}
