import {
  asJson,
  type Brand,
  ENOUGH_CONTRAST,
  isLogo,
  isObject,
  isStandardSchema,
  isWebUrl,
  problemOfColor,
} from '@toolwright/json';
import {
  type AnyOptionSchema,
  type Duration,
  type OptionRule,
  type OptionSchema,
  type RequiredRule,
  findOptionProblems,
} from './option-schema.js';

const isString = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** Integers beyond 2^53 are not exact, and Node.js refuses many of them later. */
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

export const text: OptionRule = { expected: 'a string', accepts: isString };
export const filledText: OptionRule = {
  expected: 'a non-empty string',
  accepts: (value) => isString(value) && value !== '',
};
/** The path of a route. */
export const urlPath: OptionRule = {
  expected: "a path that begins with '/'",
  accepts: (value) => isString(value) && value.startsWith('/'),
};
/** A blank would make two scopes of one (RFC 6749, section 3.3). */
export const oauthScope: OptionRule = {
  expected: 'an OAuth scope (RFC 6749, section 3.3)',
  accepts: (value) => isString(value) && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(value),
};
export const flag: OptionRule = {
  expected: 'true or false',
  accepts: (value) => typeof value === 'boolean',
};
export const yes: OptionRule = { expected: 'true', accepts: (value) => value === true };
export const no: OptionRule = { expected: 'false', accepts: (value) => value === false };
export const nothing: OptionRule = { expected: 'null', accepts: (value) => value === null };
export const callback: OptionRule = {
  expected: 'a function',
  accepts: (value) => typeof value === 'function',
};
export const anyObject: OptionRule = {
  expected: 'an object',
  accepts: isObject,
};
/** What lists publish: one value that JSON does not have would fail the whole list, for everybody. */
export const jsonObject: OptionRule = {
  expected: 'an object that JSON can carry',
  accepts: (value) => anyObject.accepts(value) && isJson(value),
};
export const bytes: OptionRule = { expected: 'bytes', accepts: (value) => value instanceof Uint8Array };
export const webUrl: OptionRule = { expected: 'an http or https URL', accepts: isWebUrl };
/** What policies such as `RateLimit.entry` make. */
export const policyEntries: OptionRule = {
  expected: 'a list of entries that policies make',
  accepts: (value) => value != null && !isString(value) && Symbol.iterator in Object(value),
};
export const anything: OptionRule = { expected: 'a value', accepts: () => true };
export const standardSchema: OptionRule = {
  expected: 'a schema of Zod, Valibot, ArkType or another library with Standard Schema',
  accepts: isStandardSchema,
  remedy: (value) =>
    anyObject.accepts(value) && Object.values(value as object).some(isStandardSchema)
      ? 'Make one schema of them, such as z.object({ … }).'
      : undefined,
};

export const positive: OptionRule = {
  expected: 'a positive number',
  accepts: (value) => isNumber(value) && value > 0,
};
/** Infinity means "no limit". */
export const amount: OptionRule = {
  expected: 'a number from 0 on',
  accepts: (value) => typeof value === 'number' && value >= 0,
};
/** A whole number that is not negative. */
export const count: OptionRule = {
  expected: 'a whole number from 0 on',
  accepts: (value) => isCount(value),
};
export const positiveCount: OptionRule = {
  expected: 'a positive integer',
  accepts: (value) => isCount(value) && value > 0,
};
export const port: OptionRule = {
  expected: 'a port from 0 to 65535',
  accepts: (value) => isCount(value) && value <= 65_535,
};

/** The same rule with another description. */
export const named = (expected: string, rule: OptionRule): OptionRule => ({ ...rule, expected });

/** The option is required. */
export const required = (rule: OptionRule): RequiredRule => ({ ...rule, required: true });

/** Messages must not repeat the value. */
export const secret = (rule: OptionRule): OptionRule => ({ ...rule, secret: true });

/** One of several texts. */
export const oneOf = (...values: readonly string[]): OptionRule => ({
  expected: values.map((value) => `'${value}'`).join(' or '),
  words: values,
  accepts: (value) => isString(value) && values.includes(value),
});

/** @param expected names the items, such as "a list of classes" */
export const listOf = (expected: string, item: OptionRule): OptionRule => ({
  expected,
  item,
  ...(item.words && { words: item.words }),
  accepts: (value) => Array.isArray(value) && value.every((each) => item.accepts(each)),
  inside: (value, place) =>
    (value as unknown[]).flatMap(
      (each, index) => item.inside?.(each, { ...place, path: `${place.path}[${index}]` }) ?? [],
    ),
});

/** An object with any names, whose values all have the same rule. */
export const recordOf = (expected: string, item: OptionRule): OptionRule => ({
  expected,
  accepts: (value) =>
    anyObject.accepts(value) && Object.values(value as object).every((each) => item.accepts(each)),
  inside: (value, place) =>
    Object.entries(value as object).flatMap(
      ([name, each]) => item.inside?.(each, { ...place, path: `${place.path}.${name}` }) ?? [],
    ),
});

/** The first rule that accepts the value also reads it, and checks its inside. */
export const either = (...rules: readonly OptionRule[]): OptionRule => ({
  expected: alternatives(rules.map(({ expected }) => expected)),
  secret: rules.some((rule) => rule.secret),
  words: rules.flatMap(({ words = [] }) => words),
  accepts: (value) => rules.some((rule) => rule.accepts(value)),
  read(value) {
    const rule = rules.find((each) => each.accepts(value));
    return rule?.read ? rule.read(value) : value;
  },
  inside: (value, place) => rules.find((rule) => rule.accepts(value))?.inside?.(value, place) ?? [],
});

/** Options inside an option. */
export const group = (schema: AnyOptionSchema, expected = 'an object'): OptionRule => ({
  expected,
  accepts: anyObject.accepts,
  inside: (value, place) => findOptionProblems(schema, value, place),
});

/** How the pages of a server for people look. A color that nobody can read stops the boot. */
export const brand = group({
  name: filledText,
  logo: {
    expected: 'the URL of a picture: https:, or data:image/…',
    accepts: (value) => isString(value) && isLogo(value),
  },
  color: {
    expected: `a color such as "#0b57d0", with a contrast of ${ENOUGH_CONTRAST} or more with white`,
    accepts: (value) => isString(value) && problemOfColor(value) === undefined,
    remedy: (value) => (isString(value) ? `Choose another color: ${problemOfColor(value)}.` : undefined),
  },
} satisfies OptionSchema<Brand>);

/** An object from outside that is recognised by its methods. */
export const objectWith = (expected: string, ...methods: readonly string[]): OptionRule => ({
  expected,
  accepts: (value) =>
    typeof value === 'object' &&
    value !== null &&
    methods.every((method) => typeof (value as Record<string, unknown>)[method] === 'function'),
});

/** The caller, for options that name one. The protocol decides which parts are required. */
export const principal: OptionRule = group(
  {
    issuer: text,
    subject: text,
    clientId: text,
    tenant: text,
    scopes: listOf('a list of scopes', text),
    claims: anyObject,
  },
  '{ subject, scopes }',
);

function isJson(value: unknown): boolean {
  try {
    asJson(value);
    return true;
  } catch {
    return false;
  }
}

function alternatives(expected: readonly string[]): string {
  if (expected.length < 3) return expected.join(', or ');
  return `${expected.slice(0, -1).join(', ')}, or ${expected.at(-1)}`;
}

/** A store that an application brings, by its methods. */
export const storeWith = (...methods: string[]): OptionRule =>
  objectWith(`a store with ${methods.join(', ')}`, ...methods);

/** The clock of an application. */
export const clock: OptionRule = objectWith('a clock with now and after', 'now', 'after');

/** A store for records that an application brings. */
export const recordStore: OptionRule = storeWith('get', 'put', 'delete', 'list');

export const abortSignal: OptionRule = objectWith('an AbortSignal', 'addEventListener');

/** Secrets that seal what leaves the process. */
export const secrets: OptionRule = secret({
  expected: 'a list of one or more secrets, each of at least 32 characters',
  accepts: (value) =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((each) => typeof each === 'string' && each.length >= 32),
});

const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

const pattern = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/;

/** The rule for options that are durations. Options that are read with `parseOptions` become milliseconds. */
export const duration = durationThat(
  "a duration such as '50s', or milliseconds, of 100 years at most",
  (ms) => ms > 0 && Number.isFinite(ms),
);

const DAY_MS = units.d;

/** The rule for a limit of time that a driver or a library keeps. Its timers could not wait for a month. */
export const driverTimeout = durationThat(
  "a duration such as '5s', of a day at most",
  (ms) => ms > 0 && ms <= DAY_MS,
);

/** The rule for a short pause, which may be 0. */
export const shortPause = durationThat(
  "a duration such as '20ms', or 0, of a day at most",
  (ms) => ms <= DAY_MS,
);

/** The rule for a duration that may be `Infinity`, which means "no limit". */
export const durationToInfinity = durationThat(
  "a duration such as '50s', milliseconds, of 100 years at most, or Infinity",
  (ms) => ms > 0,
);

/** The rule for a duration that may be 0. */
export const durationFromZero = durationThat(
  "a duration such as '50s', or milliseconds from 0 on, of 100 years at most",
  Number.isFinite,
);

/** The rule for a duration that may be 0, or `Infinity`, which means "no limit". */
export const anyDuration = durationThat(
  "a duration such as '50s', milliseconds from 0 on, of 100 years at most, or Infinity",
  () => true,
);

/**
 * The rule for durations of some length.
 *
 * @param fits is asked with the milliseconds
 */
export function durationThat(expected: string, fits: (ms: number) => boolean): OptionRule {
  return {
    expected,
    accepts(value) {
      const ms = toMilliseconds(value);
      return ms !== undefined && fits(ms);
    },
    read: (value) => parseDuration(value as Duration),
  };
}

/**
 * Returns the milliseconds of a duration, rounded up.
 *
 * @throws {RangeError} when it is neither a duration nor a number from 0 on
 */
export function parseDuration(duration: Duration): number {
  const parsed = toMilliseconds(duration);
  if (parsed !== undefined) return parsed;
  throw new RangeError(
    `${shown(duration)} is not a duration such as '250ms', '30s', '1m', '2h' or '1d', nor a number of milliseconds, of 100 years at most.`,
  );
}

/**
 * The same for a duration that must not be 0.
 *
 * @throws {RangeError} for a duration of 0, too
 */
export function parsePositiveDuration(duration: Duration): number {
  const parsed = parseDuration(duration);
  if (parsed > 0) return parsed;
  throw new RangeError(`${shown(duration)} is not a positive duration.`);
}

/** The units in which people say durations, the longest first. */
const saidUnits = [
  ['day', 'd', 86_400_000],
  ['hour', 'h', 3_600_000],
  ['minute', 'min', 60_000],
  ['second', 's', 1_000],
] as const;

/** A duration as people say it: `250 ms`, `50 s`, `90 s`, `2 h`. */
export function sayDuration(ms: number): string {
  const [, unit, size] = saidUnits.find(([, , each]) => ms > 0 && ms % each === 0) ?? ['', 'ms', 1];
  return `${ms / size} ${unit}`;
}

/** How often, as people say it: `600 a minute`, `3 in 10 s`. */
export function sayRate(points: string, perMs: number): string {
  const [unit] = saidUnits.find(([, , size]) => size === perMs) ?? [];
  if (unit === undefined) return `${points} in ${sayDuration(perMs)}`;
  return `${points} ${unit === 'hour' ? 'an' : 'a'} ${unit}`;
}

/** JSON has no NaN. */
const shown = (duration: unknown) =>
  typeof duration === 'number' ? String(duration) : JSON.stringify(duration);

/** 100 years. A date that is much later cannot be written, and timers of Node.js do not count so far. */
const LONGEST_MS = 36_525 * DAY_MS;

function toMilliseconds(value: unknown): number | undefined {
  const ms = typeof value === 'string' ? written(value) : value;
  if (typeof ms !== 'number') return undefined;
  const isLength = (ms >= 0 && ms <= LONGEST_MS) || value === Infinity;
  return isLength ? Math.ceil(ms) : undefined;
}

function written(text: string): number {
  const [, amount, unit] = pattern.exec(text) ?? [];
  return Number(amount) * units[unit as keyof typeof units];
}
