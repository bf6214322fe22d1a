/** What a policy engine is asked about. It is plain JSON, and the key of the cache: equal inputs have equal answers. */
export interface DecisionInput {
  /** `call`: whether the caller may call it with these arguments. `list`: whether it may know of it. */
  readonly action: 'call' | 'list';
  /** `null` for callers that have not signed in. */
  readonly principal: DecisionPrincipal | null;
  readonly operation: {
    readonly kind: string;
    /** All versions of a tool have one name: that of the newest. */
    readonly name: string;
    /** The version of the tool, if it has versions. */
    readonly version?: string;
    /** The URI that is read, for resources. */
    readonly uri?: string;
    readonly annotations: Readonly<Record<string, unknown>>;
  };
  /** As the client sent them, before they are validated. Empty for `list`. */
  readonly arguments: Readonly<Record<string, unknown>>;
}

export interface DecisionPrincipal {
  readonly issuer?: string;
  readonly subject: string;
  readonly clientId?: string;
  readonly tenant?: string;
  readonly scopes: readonly string[];
  /** The claims that the option `claims` names. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** What the engine says. */
export interface Decision {
  readonly allow: boolean;
  /** The number under which the engine has logged it. */
  readonly id?: string;
  /** Why, for the audit log. Callers do not see it. */
  readonly reason?: string;
}

/**
 * Asks a policy engine. Whatever it throws refuses the call.
 *
 * @param signal is aborted at the deadline
 */
export type Decide = (input: DecisionInput, signal: AbortSignal) => Decision | Promise<Decision>;
