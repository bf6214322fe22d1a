/** What lists of a server behind have. */
export type ListKind = 'tool' | 'prompt' | 'resource' | 'resourceTemplate';

/** An operation of a server behind that our clients do not get. */
export interface LeftOut {
  readonly kind: ListKind;
  readonly name: string;
  readonly reason: string;
}

/** Words in a description that address the model, and not the person who chooses a tool; or text that nobody sees. */
export interface Poison {
  readonly kind: ListKind;
  readonly name: string;
  /** The words that were found. */
  readonly words: string;
}

/** One place at which two forms of a definition differ. Hidden characters are written out. */
export interface Difference {
  /** Such as `description`, or `inputSchema/properties/note/description`. */
  readonly path: string;
  readonly before?: string;
  readonly after?: string;
}

/** A change of a server behind that our clients do not see before somebody accepts it. */
export interface HeldChange {
  readonly kind: ListKind;
  readonly name: string;
  /** The members that differ, such as `description`; `new` for a new one, `refused` where it cannot be served any more. */
  readonly changed: readonly string[];
  /** Why it cannot be served. */
  readonly reason?: string;
  /** Names the form that is held back. If the server changes again, that is another form. */
  readonly digest: string;
}

/** One place of a held change, with the words of both forms. */
export interface HeldText extends Difference {
  readonly mount: string;
  readonly kind: ListKind;
  readonly name: string;
  readonly digest: string;
}

/** What an operator sees of a mount. It holds no secret. */
export interface MountStatus {
  readonly name: string;
  readonly state: 'connecting' | 'up' | 'down' | 'closed';
  /** Since when it has this state, in milliseconds since the epoch. */
  readonly since: number;
  /** The address without its query; only for servers over HTTP. */
  readonly url?: string;
  /** The program; only for servers over stdio. */
  readonly command?: string;
  /** The server's own name and version. */
  readonly server?: { readonly name: string; readonly version: string };
  readonly era?: 'stateless' | 'stateful';
  /** Why it is down, or what is wrong with one of its functions of the caller. */
  readonly error?: string;
  /** When it is tried again, in milliseconds since the epoch. */
  readonly retryAt?: number;
  /** Sessions with the server behind. */
  readonly sessions: number;
  /** Whether all callers use one session. */
  readonly isShared: boolean;
  /** The ids of its child processes. */
  readonly processes: readonly number[];
  /** Calls that wait until their client comes back with an answer. */
  readonly waiting: number;
  /** How many operations of it our server has. */
  readonly operations: number;
  /** Operations that our clients do not get, and why. */
  readonly left: readonly LeftOut[];
  /** Changes that our clients do not see before `accept` is called. */
  readonly held: readonly HeldChange[];
  /** Descriptions that address the model about something else than their tool. Read them. */
  readonly suspicious: readonly Poison[];
  /** What it has tried against the protocol, and how often. */
  readonly tricks: Readonly<Record<string, number>>;
  readonly calls: number;
  readonly failures: number;
  /** How long the last calls took, in milliseconds. */
  readonly latency: { readonly p50: number; readonly p99: number } | undefined;
}
