import { isWebUrl, readUrl } from '@toolwright/json';
import { isProgram } from './upstream/find-program.js';
import { ConfigurationError, type McpServer, type Principal, type ToolAnnotations } from '@toolwright/core';
import {
  type Duration,
  type OptionSchema,
  type WithDefaults,
  optionRules,
  parseOptions,
} from '@toolwright/core/options';

type ToolDefinition = Extract<Parameters<McpServer['tools']['add']>[0], { name: string }>;
type PolicyEntries = NonNullable<ToolDefinition['policies']>;

/** What our guards do with the tools that a pattern means. */
export interface MountPolicy {
  /** Corrects what the server behind says of its tools. Other hints stay as the server says them. */
  annotations?: ToolAnnotations;
  /** What decorators would set, such as `RateLimit.entry({ points: 10, per: '1m' })`. */
  policies?: PolicyEntries;
}

/** How much a server behind ours may send. */
export interface MountLimits {
  /** How many tools, and how many of each other kind. Default 1,000. */
  tools?: number;
  /** The bytes of one definition: schemas, description and all. Default 256 KiB. */
  schemaBytes?: number;
  /** The bytes of one answer. Default 5 MiB. */
  resultBytes?: number;
  /** The values of one message: members, items, lists and objects. Default 50,000. */
  values?: number;
  /**
   * How long one answer may take, without the time that a person needs. Default 60,000. More than 0, at most
   * a day.
   */
  answerMs?: number;
  /** The memory of one child process in bytes, where the system has `prlimit` (Linux). Default: no limit. */
  memoryBytes?: number;
}

/**
 * A value, or a function that gives it for a caller. The function never gets the token of the caller. `undefined` is an
 * anonymous caller, and the mount itself when it lists at boot.
 */
export type PerCaller<T> = T | ((principal: Principal | undefined) => T | Promise<T>);

/** A server behind ours, and what of it our clients see. */
export interface MountOptions {
  /** The endpoint of a server over HTTP. */
  url?: string;
  /** The program of a server over stdio. Each caller gets a process, unless `sessions` says otherwise. */
  command?: string;
  args?: PerCaller<readonly string[]>;
  /** The environment of the child process. It gets this, `PATH`, and nothing else. */
  env?: PerCaller<Readonly<Record<string, string>>>;
  /** The working directory of the child process. */
  cwd?: PerCaller<string>;
  /** Headers that each request carries. */
  headers?: PerCaller<Readonly<Record<string, string>>>;
  /** Who sees the mount and may call it. For others it does not exist. Default: everybody. */
  for?: (principal: Principal | undefined) => boolean;
  /**
   * `none`: requests carry no credentials. `mount`: the headers have the credentials of this mount. `user`: each call
   * carries a token for its caller (`ctx.tokenFor(url)`). Default: `mount` with `headers`, else `none`.
   */
  auth?: 'none' | 'mount' | 'user';
  /** Is put before the names of tools and prompts, such as `github_`. Default: none. */
  prefix?: string;
  /** Patterns of names and URIs; `*` is any text, and `!` before a pattern excludes. Default: everything. */
  select?: readonly string[];
  /** Our names for names of the server behind. They get no prefix. */
  rename?: Readonly<Record<string, string>>;
  /** Our descriptions, by pattern of the name that the server behind uses. */
  describe?: Readonly<Record<string, string>>;
  /** Our guards, by pattern of the name that the server behind uses. Later patterns win. */
  policies?: Readonly<Record<string, MountPolicy | PolicyEntries>>;
  /** What lists show while the server behind is away. `list`: its operations. `hide`: none of them. Default `list`. */
  whenDown?: 'list' | 'hide';
  /**
   * `caller`: each caller has a session of its own. `shared`: all callers use one. Default: `caller` where the server
   * behind keeps state, and `shared` where it cannot.
   */
  sessions?: 'caller' | 'shared';
  /**
   * How long the server behind may take to answer for the first time, and to list what it has. After it, `mountServer`
   * resolves with a mount that is down, which is tried again. Default 30 seconds. More than 0, at most a day.
   */
  connectTimeout?: Duration;
  /** How long a call may take. Default: as all tools. More than 0. */
  timeout?: Duration;
  /** How many child processes run at most. Default 64. */
  maxProcesses?: number;
  /** A session that nobody has used for this long is ended. Default 5 minutes. More than 0. */
  idle?: Duration;
  /** The folders that the server behind may use. Without it, a child process has none. */
  roots?: PerCaller<readonly { uri: string; name?: string }[]>;
  /** Whether the boot fails while the server behind is away. */
  required?: boolean;
  limits?: MountLimits;
  /**
   * The file that keeps the tools and prompts as they were accepted, such as `mcp.lock.json`. Default: they are kept
   * as long as the process runs.
   */
  lock?: string;
}

const {
  driverTimeout,
  duration,
  either,
  filledText,
  flag,
  group,
  listOf,
  oneOf,
  positiveCount,
  recordOf,
  required,
  secret,
} = optionRules;
const { anyObject, callback, policyEntries, text } = optionRules;

const limitOptions = {
  tools: { ...positiveCount, default: 1_000 },
  schemaBytes: { ...positiveCount, default: 256 * 1024 },
  resultBytes: { ...positiveCount, default: 5 * 1024 * 1024 },
  values: { ...positiveCount, default: 50_000 },
  answerMs: { ...driverTimeout, default: 60_000 },
  memoryBytes: positiveCount,
} satisfies OptionSchema<MountLimits>;

/** What functions of the caller may give. */
const values = {
  args: listOf('a list of strings', text),
  env: secret(recordOf('variables by name', text)),
  cwd: filledText,
  headers: secret(recordOf('headers by name', text)),
  roots: listOf('a list of folders', group({ uri: required(filledText), name: text })),
};

const mountOptions = {
  url: filledText,
  command: filledText,
  args: either(values.args, callback),
  env: secret(either(values.env, callback)),
  cwd: either(values.cwd, callback),
  headers: secret(either(values.headers, callback)),
  for: callback,
  auth: oneOf('none', 'mount', 'user'),
  prefix: text,
  select: listOf('a list of patterns', filledText),
  rename: recordOf('names by name', filledText),
  describe: recordOf('descriptions by pattern', text),
  policies: recordOf(
    'policies by pattern',
    either(
      policyEntries,
      group({ annotations: anyObject, policies: policyEntries } satisfies OptionSchema<MountPolicy>),
    ),
  ),
  whenDown: { ...oneOf('list', 'hide'), default: 'list' },
  sessions: oneOf('caller', 'shared'),
  connectTimeout: { ...driverTimeout, default: 30_000 },
  timeout: duration,
  maxProcesses: { ...positiveCount, default: 64 },
  idle: { ...duration, default: 300_000 },
  roots: either(values.roots, callback),
  required: { ...flag, default: false },
  limits: { ...group(limitOptions), default: {} },
  lock: filledText,
} satisfies OptionSchema<MountOptions>;

/** The options that a file can have: it has no functions. */
export const mountOptionNames: readonly string[] = Object.keys(mountOptions).filter((name) => name !== 'for');

/** The options that may be functions of the caller. */
export const PER_CALLER = Object.keys(values) as readonly (keyof typeof values)[];

/** What these options are for one caller. */
export type MountValues = {
  readonly [K in keyof typeof values]?: Exclude<MountOptions[K], (...args: never) => unknown>;
};

/** What an option must be, where a function has given something else. */
export function findWrongValue(option: keyof typeof values, value: unknown): string | undefined {
  const { [option]: rule } = values;
  const [problem] = rule.accepts(value)
    ? (rule.inside?.(value, { owner: 'mountServer', path: option }) ?? [])
    : ['wrong'];
  return problem === undefined ? undefined : `${rule.expected}${oddMember(value)}`;
}

/** Which member of a list or a record is wrong, as `keys[tenant]` may be. Its value may be secret. */
function oddMember(value: unknown): string {
  const odd = Object.entries(Object(value) as object).find(([, each]) => typeof each !== 'string');
  if (!odd || value instanceof Promise) return '';
  const [name, each] = odd as [string, unknown];
  return ` ("${name}" is ${each === null ? 'null' : `of the type ${typeof each}`})`;
}

/** The same, for the callers of one group. */
export type GroupSettings = Omit<MountSettings, keyof typeof values> & MountValues;

/** The options of a mount with their defaults. */
export type MountSettings = WithDefaults<MountOptions, typeof mountOptions> & {
  readonly limits: WithDefaults<MountLimits, typeof limitOptions>;
  readonly auth: 'none' | 'mount' | 'user';
};

/** @throws {ConfigurationError} with every problem of the options */
export function parseMount(name: string, given: MountOptions): MountSettings {
  const owner = `mountServer("${name}")`;
  const options = parseOptions(owner, mountOptions, given);
  const limits = parseOptions(`${owner}.limits`, limitOptions, options.limits);
  const auth = options.auth ?? (options.headers ? 'mount' : 'none');
  const settings = { ...options, limits, auth } as MountSettings;
  const problems = [...findProblems(name, settings)];
  if (problems.length > 0)
    throw new ConfigurationError(
      problems.map(([message, fix]) => ({ code: 'TW_MOUNT_INVALID', message: `${owner}: ${message}`, fix })),
    );
  return settings;
}

function* findProblems(
  name: string,
  { url, command, args, env, cwd, headers, auth, limits, ...rest }: MountSettings,
): Generator<[message: string, fix: string]> {
  if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(name))
    yield ['its name has other characters than letters, digits, ".", "_" and "-".', 'Give it a short name.'];
  if ((url === undefined) === (command === undefined))
    yield [
      url === undefined ? 'it has neither a url nor a command.' : 'it has both a url and a command.',
      'Give it the url of a server over HTTP, or the command of a server over stdio.',
    ];
  const variables = typeof env === 'function' ? undefined : env;
  if (url === undefined && command !== undefined && !isProgram(command, variables?.['PATH']))
    yield [`the command "${command}" is not found.`, 'Install the program, or write its whole path.'];
  if (url !== undefined && (args ?? env ?? cwd ?? limits.memoryBytes) !== undefined)
    yield ['"args", "env", "cwd" and "limits.memoryBytes" are for child processes.', 'Leave them out.'];
  if (command !== undefined && (headers ?? (auth === 'none' ? undefined : auth)) !== undefined)
    yield ['"headers" and "auth" are for servers over HTTP.', 'Pass credentials in "env".'];
  const address = url === undefined ? undefined : readUrl(url);
  if (url !== undefined && !isWebUrl(url))
    yield [`"${url}" is no URL of HTTP.`, 'Write it in full, such as https://mcp.example.com/mcp.'];
  if (address?.username || address?.password)
    yield ['the url has a password in it.', 'Pass it in "headers".'];
  const fixed = typeof headers === 'function' ? {} : (headers ?? {});
  const authorization = Object.keys(fixed).find((key) => key.toLowerCase() === 'authorization');
  if (authorization && auth !== 'mount')
    yield [
      `"headers" has ${authorization}, and "auth" is "${auth}".`,
      'Say auth: "mount", or leave the header out.',
    ];
  const asked = Object.entries({ args, env, cwd, headers, roots: rest.roots })
    .filter(([, value]) => typeof value === 'function')
    .map(([option]) => `"${option}"`);
  if (rest.sessions === 'shared' && asked.length > 0)
    yield [
      `callers for whom ${asked.join(' and ')} may differ cannot share a session.`,
      'Leave "sessions" out. Callers with the same values share one where the server keeps no state.',
    ];
  if (rest.sessions === 'shared' && auth === 'user')
    yield [
      'callers with tokens of their own cannot share a session.',
      'Leave "sessions" out, or use another "auth".',
    ];
}
