import type { ConfigurationProblem } from '../errors/configuration-error.js';
import type { ServerOptions } from './server-options.js';

type Check = (value: unknown) => boolean;

const isString: Check = (value) => typeof value === 'string';
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
const isFunction: Check = (value) => typeof value === 'function';
const isBoolean: Check = (value) => typeof value === 'boolean';
const isCount: Check = (value) => Number.isInteger(value) && (value as number) >= 0;
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const either =
  (...checks: Check[]): Check =>
  (value) =>
    checks.some((check) => check(value));
const isFalse: Check = (value) => value === false;
const isProvider: Check = (value) =>
  isFunction(value) ||
  (isObject(value) &&
    'provide' in value &&
    value.provide !== undefined &&
    ['useClass', 'useFactory', 'useValue', 'useExisting'].filter((way) => way in value).length === 1);
const isManifest = either(isString, isObject, isFunction);
const hasMethods =
  (...methods: string[]): Check =>
  (value) =>
    isObject(value) && methods.every((method) => isFunction(value[method]));

/** Every option, what it must be, and how to say so. What is inside of a group is checked by its owner. */
const rules: Record<keyof ServerOptions, [check: Check, expected: string]> = {
  name: [(value) => isString(value) && value !== '', 'a non-empty string'],
  version: [(value) => isString(value) && value !== '', 'a non-empty string'],
  title: [isString, 'a string'],
  description: [isString, 'a string'],
  icons: [listOf(isObject), 'a list of icons'],
  websiteUrl: [isString, 'a string'],
  instructions: [isString, 'a string'],
  services: [listOf(isFunction), 'a list of classes'],
  discover: [either(isString, listOf(isString)), 'a directory, or a list of them'],
  providers: [
    listOf(isProvider),
    'a list of classes and of { provide } with one of useClass, useFactory, useValue, useExisting',
  ],
  manifest: [
    either(isManifest, listOf(isManifest)),
    'a path, a manifest, a function that gives one, or a list of these',
  ],
  resolver: [hasMethods('resolve'), 'an object with a resolve method'],
  logger: [hasMethods('debug', 'info', 'warn', 'error'), 'a logger with debug, info, warn and error'],
  clock: [hasMethods('now', 'after'), 'a clock with now and after'],
  ids: [hasMethods('uuid', 'reference'), 'an id source with uuid and reference'],
  bus: [hasMethods('publish', 'subscribe'), 'an event bus with publish and subscribe'],
  middleware: [listOf(either(isFunction, isObject)), 'a list of middleware'],
  audit: [
    either(
      isFalse,
      hasMethods('write', 'flush', 'close'),
      (value) => isObject(value) && isString((value as { file?: unknown }).file),
    ),
    '{ file }, an audit sink, or false',
  ],
  rateLimit: [either(isFalse, isObject), 'an object, or false'],
  concurrency: [either(isFalse, isObject), 'an object, or false'],
  abandonedWork: [either(isFalse, isObject), 'an object, or false'],
  timeout: [either(isFalse, isString), "a duration such as '50s', or false"],
  authorize: [isFunction, 'a function'],
  confirmDestructive: [isBoolean, 'true or false'],
  validation: [(value) => value === 'auto' || value === 'always', "'auto' or 'always'"],
  coerce: [isBoolean, 'true or false'],
  output: [isObject, 'an object'],
  legacy: [isBoolean, 'true or false'],
  sessions: [either(isFalse, isObject), 'an object, or false'],
  pageSize: [(value) => isCount(value) && (value as number) > 0, 'a positive integer'],
  clientSafe: [isBoolean, 'true or false'],
  listTtlMs: [isCount, 'milliseconds'],
  requestState: [isObject, 'an object'],
  maxSubscriptions: [isCount, 'a number of streams'],
  maxSubscriptionsPerPrincipal: [isCount, 'a number of streams'],
  maxAnonymousSubscriptions: [isCount, 'a number of streams'],
  tasks: [isObject, 'an object'],
};

/** What is wrong with the options of a server: missing, misspelt, or of another type than they can have. */
export function findOptionProblems(options: ServerOptions): ConfigurationProblem[] {
  const given: Record<string, unknown> = { ...options };
  const problems = Object.keys(given)
    .filter((name) => !Object.hasOwn(rules, name))
    .map((name) =>
      problem(`There is no option "${name}".`, `Options are: ${Object.keys(rules).join(', ')}.`),
    );
  for (const [name, [check, expected]] of Object.entries(rules)) {
    const value = given[name];
    const isRequired = name === 'name' || name === 'version';
    if (value === undefined ? isRequired : !check(value)) {
      problems.push(
        problem(
          `The option "${name}" must be ${expected}, not ${describe(value)}.`,
          'Correct the call of createMcpServer.',
        ),
      );
    }
  }
  return problems;
}

function problem(message: string, fix: string): ConfigurationProblem {
  return { code: 'TW_OPTION_INVALID', message, fix };
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.map((each) => typeof each).join(', ') || 'nothing'}`;
  return typeof value === 'string' ? JSON.stringify(value) : value === null ? 'null' : typeof value;
}
