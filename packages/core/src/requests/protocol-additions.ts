import type { OperationKind, KindCollections } from '@toolwright/ground/base/operation-kinds';
import type { Era, RequestContext } from '@toolwright/ground/base/request-context';
import type { BoundOperation, BoundTool, OfKind } from '@toolwright/ground/call/operation/operation';
import type { MaybePromise } from '@toolwright/json';
import type { JsonObject } from '@toolwright/wire/json-rpc';
import type { ForwardingTool } from './forwarded-call.js';

/** A method of JSON-RPC that a package answers. */
export interface ExtensionMethod {
  /** Such as `skills/list`. No method of the protocol and of another package has the same name. */
  readonly name: string;
  /** The method is answered with -32601 unless this capability is offered. */
  readonly capability?: string;
  /** The eras of the protocol that have the method. Default: both. */
  readonly eras?: readonly Era[];
  /**
   * Answers a request.
   *
   * @returns the result; the codec adds what each result of the client's revision has
   * @throws {ProtocolError} which is answered as a JSON-RPC error
   */
  handle(
    params: Readonly<Record<string, unknown>>,
    request: RequestContext,
  ): MaybePromise<Readonly<Record<string, unknown>>>;
}

/** Something that the server tells clients it can do, in `initialize` and `server/discover`. */
export interface ExtensionCapability {
  /** With a slash, such as `io.example/quota`: an extension of the protocol. Without: a member of `capabilities`. */
  readonly name: string;
  /** What its capability says to clients. Default: an empty object. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** False while the server does not offer it. Default: it always does. */
  isOffered?(): boolean;
}

/**
 * Replaces what lists show, by kind: `tools`, `prompts`, `resources`, `resourceTemplates`.
 *
 * @example
 * lists: { tools: (visible, { principal }) => (isLarge(visible) ? searchTools : visible) }
 */
export type ExtensionLists = {
  readonly [K in OperationKind as KindCollections[K]]?: ReplaceList<OfKind<K>>;
};

/**
 * @param visible what the caller may see, in the order of the list
 * @returns what the caller is shown: any of the server's operations. What the caller may not see is left out of it
 *   again. All pages of one list must come from the same answer, so it may not depend on the time
 */
export type ReplaceList<O extends BoundOperation = BoundOperation> = (
  visible: readonly O[],
  request: RequestContext,
) => readonly O[];

/** Is asked before anything is looked up for a request. */
export type BeforeRequest = NonNullable<ProtocolAdditions['beforeRequest']>;

/** The operations of each list: `tools`, `prompts` and so on. */
type OperationLists = { readonly [K in OperationKind as KindCollections[K]]: readonly OfKind<K>[] };

/** What a list says of a tool to one caller. What is left out stays as the tool has it. */
export type ToolWords = Partial<Pick<BoundTool, 'description' | 'annotations'>>;

/**
 * Says what lists show of a tool to one caller. It is asked for each list, so it must be cheap. Hosts keep lists, so its
 * answer depends on nothing but what the caller may see.
 *
 * @param visible the tools that the caller may see, whether a list shows them or not
 */
export type DescribeTool = (visible: readonly BoundTool[], request: RequestContext) => ToolWords;

/** What lists show. Methods of packages that show operations in another form ask it. */
export interface ListView {
  /**
   * What a list of the protocol shows to the caller of a request, in the same order.
   *
   * @param among only these operations are looked at. Default: all of the server
   */
  shown<C extends keyof OperationLists>(
    collection: C,
    request: RequestContext,
    among?: OperationLists[C],
  ): MaybePromise<OperationLists[C]>;
  /** The entry that `tools/list` has of a tool, in the revision of the request. */
  published(tool: BoundTool, request: RequestContext): JsonObject;
  /** True when callers may see different lists. No cache may then share an answer. */
  isPerCaller(collection: keyof OperationLists): boolean;
}

/** Something of a package that operators ask or do. */
export interface OperatorMethod {
  /** What the audit log calls it. A method without it only looks, and is not recorded. */
  readonly action?: string;
  /** What it is done to, for the audit log. Nothing in it may be a secret. */
  target?(params: JsonObject): string;
  /**
   * @param params what the operator's program has passed, unchecked
   * @returns something falsy if there was nothing to do
   * @throws {ToolError} with what the operator may read
   */
  run(params: JsonObject): MaybePromise<unknown>;
}

/** A server that this one depends on, and what it offers at this moment. */
export interface UpstreamServer {
  readonly name: string;
  /** The definitions of its tools and prompts, as it lists them. Left out while it cannot be reached. */
  readonly offered?: { readonly tools: readonly object[]; readonly prompts: readonly object[] };
}

/** The parts of a package whose tools depend on the caller. */
export interface CallerParts {
  /** The part that a tool belongs to; `undefined` where every process knows the tool. */
  of(tool: BoundOperation): string | undefined;
  /** What this process has. */
  present(): readonly string[];
}

/** What a package adds to the protocol of a server, and to what operators see of it. */
export interface ProtocolAdditions {
  /** Methods of JSON-RPC. */
  readonly methods?: readonly ExtensionMethod[];
  readonly capabilities?: readonly ExtensionCapability[];
  readonly lists?: ExtensionLists;
  /**
   * Is waited for before a list is made. A guard whose `visible` depends on an answer from elsewhere asks here. An error
   * is that of the request.
   *
   * @param operations all operations of the list, whether the caller may see them or not
   */
  beforeLists?(operations: readonly BoundOperation[], request: RequestContext): MaybePromise<void>;
  /**
   * Is waited for where a request depends on what its caller may see or read, and no list is made: completions, later
   * rounds, links to the rest of a result, subscriptions. A guard whose `visible` depends on an answer from elsewhere asks
   * here, too. It is called often, so answer at once where you can.
   *
   * @param watched the URI that the caller wants to watch. Nothing is called then, so this is where a package refuses it
   * @throws {ProtocolError} which refuses the request
   */
  beforeUse?(operation: BoundOperation, request: RequestContext, watched?: string): MaybePromise<void>;
  /**
   * Is waited for before anything is looked up for a request, where the operations of the package depend on the caller. It
   * is asked for each request, so answer `undefined` where nothing must be waited for. It must not reject.
   */
  beforeRequest?(request: RequestContext): Promise<void> | undefined;
  /**
   * Where tools of the package depend on the caller, a process that works on a queue may not know a tool before it begins its
   * task. Such tasks wait for any process that has the same part of the package.
   */
  readonly taskParts?: CallerParts;
  /**
   * What lists say of tools of the package to each caller, by the names of the tools: a description or annotations that
   * depend on what the caller may see.
   *
   * @example
   * describe: { run_code: (visible) => ({ annotations: worstOf(visible) }) }
   */
  readonly describe?: Readonly<Record<string, DescribeTool>>;
  /**
   * A tool whose calls mean other tools. Such a call has the guards, the audit record, the tasks and the result of the tool
   * that is meant, as if its client had called that tool by its own name. A call of an unknown tool, and of one that the
   * caller may not call, stays a call of the tool itself, which refuses it. One package of a server can have such a tool.
   */
  readonly forward?: ForwardingTool;
  /**
   * Lists that operators see in `server.operate(…).state()`, by name. Each is asked when somebody looks. Add them to
   * `ExtraState`, too.
   */
  readonly state?: Readonly<Record<string, () => readonly object[]>>;
  /** Servers that this one depends on. `toolwright lock` keeps what they offer, and `toolwright diff` compares it. */
  upstreams?(): readonly UpstreamServer[];
  /** What operators can ask and do with `server.operate(…).ask`, by name, such as `keys.revoke`. */
  readonly operator?: Readonly<Record<string, OperatorMethod>>;
  /**
   * Is called when a client begins to watch a resource. It must not throw.
   *
   * @param isWatched whether any client of this process still watches it; ask it later
   */
  watched?(uri: string, isWatched: () => boolean): void;
  /**
   * Is called when the server drains: begin nothing more, and wait for what runs, for `graceMs` milliseconds at most. Then
   * abort it.
   *
   * @returns false when some of it was aborted
   */
  drain?(graceMs: number): Promise<boolean>;
}
