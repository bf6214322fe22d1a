import { type Principal, ToolError } from '@toolwright/core';
import { principalKey } from '@toolwright/core/transport';
import { canonicalJson, isObject, present, orAborted } from '@toolwright/json';
import { createHash } from 'node:crypto';
import { MountError } from '../errors.js';
import { within } from '../upstream/connect-limit.js';
import { findWrongValue, type MountSettings, type MountValues, PER_CALLER } from '../options.js';

/** Callers who may share a process or a session: they have the same tenant, and the options have the same values for them. */
export interface CallerGroup {
  /** Tells groups apart. It is a digest, so no value can be read from it. */
  readonly key: string;
  /** Tells lists apart. Groups of several tenants may have the same values, so their server behind lists the same. */
  readonly listKey: string;
  readonly values: MountValues;
  /** What functions of the caller gave. No log has it. */
  readonly hidden: MountValues;
}

/** The key of the lists for callers that nobody knows, and of the group of all callers where nothing tells them apart. */
export const COMMON = '';

/** What the options of a mount that are functions of the caller give. */
export class CallerValues {
  /** Whether any of the options is a function. */
  readonly dependOnCaller: boolean;
  readonly #functions: readonly [name: keyof MountValues, make: (principal?: Principal) => unknown][];
  readonly #fixed: MountValues;
  readonly #common: CallerGroup;
  /** The values for callers that nobody knows, while there are any. */
  #ofNobody: string | undefined;
  /** What is wrong with a function, until it gives something right to the same caller. */
  #problem: { readonly caller: string | undefined; readonly message: string } | undefined;

  constructor(
    private readonly name: string,
    private readonly settings: MountSettings,
  ) {
    const all = PER_CALLER.map((option) => [option, settings[option]] as const);
    this.#functions = all.filter(([, value]) => typeof value === 'function') as never;
    this.#fixed = Object.fromEntries(
      all.filter(([, value]) => value !== undefined && typeof value !== 'function'),
    ) as MountValues;
    this.dependOnCaller = this.#functions.length > 0;
    this.#common = { key: COMMON, listKey: COMMON, values: this.#fixed, hidden: {} };
  }

  get problem(): string | undefined {
    return this.#problem?.message;
  }

  /**
   * The group of a caller. Where no option is a function, it is known at once.
   *
   * @param unkeptClaims of a task that began in another process
   * @throws {MountError} when a function throws, does not answer, or gives what its option does not take
   */
  of(
    principal: Principal | undefined,
    unkeptClaims: readonly string[] = [],
  ): CallerGroup | Promise<CallerGroup> {
    if (this.dependOnCaller) return this.#asked(principal && sayingUnkept(principal, unkeptClaims));
    const { tenant } = principal ?? {};
    return tenant === undefined ? this.#common : { ...this.#common, key: keyOf(tenant, COMMON) };
  }

  /** All functions together have the time of a first answer: their caller waits for them. */
  async #asked(principal: Principal | undefined): Promise<CallerGroup> {
    const { connectTimeout } = this.settings;
    let asked: keyof MountValues = this.#functions[0]![0];
    const late = () =>
      this.#wrong(
        principal,
        `"${asked}" of the mount "${this.name}" is a function that has not answered within ${connectTimeout / 1_000} s. See what it waits for. If it needs longer, raise "connectTimeout" of the mount.`,
      );
    const made: Record<string, unknown> = {};
    await within(connectTimeout, late, undefined, async (signal) => {
      for (const [option, make] of this.#functions) {
        signal.throwIfAborted();
        asked = option;
        const value = await orAborted(signal, this.#valueOf(option, make, principal));
        if (value !== undefined) made[option] = value;
      }
    });
    if (this.#problem?.caller === keyOfCaller(principal)) this.#problem = undefined;
    // A function that gives nothing is in the options still, and must not be taken for its value.
    const none = Object.fromEntries(this.#functions.map(([option]) => [option, undefined]));
    const values = { ...none, ...this.#fixed, ...made } as MountValues;
    const digest = digestOf(canonicalJson(made));
    if (principal === undefined) this.#ofNobody = digest;
    const listKey = digest === this.#ofNobody ? COMMON : digest;
    return { key: keyOf(principal?.tenant, digest), listKey, values, hidden: made };
  }

  async #valueOf(
    option: keyof MountValues,
    make: (principal?: Principal) => unknown,
    principal: Principal | undefined,
  ): Promise<unknown> {
    let value: unknown;
    try {
      value = withoutUndefined(await make(principal));
    } catch (error) {
      // An error that is meant for the model stays what it is. Any other may have a code of the network.
      if (error instanceof ToolError) throw error;
      throw noValue(`"${option}" of the mount "${this.name}" failed for a caller.`, error);
    }
    const wrong = value === undefined ? undefined : findWrongValue(option, value);
    if (wrong === undefined) return value;
    throw this.#wrong(principal, `"${option}" of the mount "${this.name}" must give ${wrong}.`);
  }

  /** A function that throws may mean it. One that gives nothing of use is a mistake of its author, so `status()` says so. */
  #wrong(principal: Principal | undefined, message: string): MountError {
    this.#problem = { caller: keyOfCaller(principal), message };
    return noValue(message, undefined);
  }
}

const keyOfCaller = (principal: Principal | undefined) => principal && principalKey(principal);

/** A function that reads a claim of the caller must not take it for missing, because its values would be those of another one. */
function sayingUnkept(principal: Principal, unkept: readonly string[]): Principal {
  if (unkept.length === 0) return principal;
  const claims = { ...principal.claims };
  for (const name of unkept)
    Object.defineProperty(claims, name, {
      get() {
        throw new Error(
          `The claim "${name}" of the caller was not kept with its task. Name it in tasks.claims.`,
        );
      },
    });
  return { ...principal, claims };
}

/** A variable that is `undefined`, as `keys[tenant]` may be, is one that is not there. */
function withoutUndefined(value: unknown): unknown {
  if (!isObject(value)) return value;
  return present(value);
}

const keyOf = (tenant: string | undefined, digest: string) =>
  tenant === undefined ? digest : `${digest} of ${digestOf(tenant)}`;

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** The caller learns nothing of the values. The operator finds the cause in the log. */
function noValue(message: string, cause: unknown): MountError {
  return new MountError('TW_MOUNT_CALLER', 'The server behind this tool cannot be reached for this caller.', {
    cause: new Error(message, { cause }),
  });
}
