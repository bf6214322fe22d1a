import type { BackgroundNoun } from '@toolwright/ground/base/extended';
import type { AnyOptionSchema } from '@toolwright/ground/base/options/option-schema';
import type { Principal, RunningProgram } from '@toolwright/ground/base/request-context';
import type { AskForApproval } from '@toolwright/ground/call/approval';
import type { ServerStop } from '@toolwright/ground/call/limits/running-work';
import type { Call, ToolTask } from '@toolwright/ground/call/operation/operation';
import type { SecurityEvent } from '@toolwright/ground/call/security/security-monitor';
import type { ClaimStore } from '@toolwright/ground/ports/claim-store';
import type { Clock } from '@toolwright/ground/ports/clock-and-ids';
import type { Logger } from '@toolwright/ground/ports/logger';
import type { ServerStores } from '@toolwright/ground/ports/server-stores';
import type { CounterOptions, MetricAttributes } from '@toolwright/ground/ports/telemetry';
import type { MaybePromise } from '@toolwright/json';
import type { Guard } from '../../policies/guard.js';
import type { ListView, ProtocolAdditions } from '../../requests/protocol-additions.js';
import type { InnerCalls } from '../../requests/inner-calls.js';
import type { BackgroundSource } from '../../tasks/background-methods.js';

/**
 * What a package adds to servers. It is a plain object: nothing happens until a server starts it, and each server starts
 * it once. A server learns of it in one of three ways: by an option that names the package, by a decorator of the
 * package, or by a call of `extend(server, extension)`.
 */
export interface Extension<Server, Parts extends ExtensionParts = ExtensionParts> {
  /** The name of the package. No two extensions of a server have the same one. */
  readonly name: string;
  /**
   * True for an extension that a function makes, with settings of its own. A server then refuses another one of this name,
   * whose settings would count for nothing. Default: another object of this name is the same package.
   */
  readonly hasSettings?: boolean;
  /**
   * The options of `createMcpServer` that it adds, with their rules. Add them to `ExtraServerOptions`, too. A package that
   * is started by `extend` takes its options as arguments of its own function instead.
   */
  readonly options?: AnyOptionSchema;
  /** The options of `@McpTool` and of `server.tools.add` that it adds. Their values are in `tool.extra`. */
  readonly toolOptions?: AnyOptionSchema;
  /** The options of `@McpService` that it adds. Each operation of the class has their values in its `extra`. */
  readonly serviceOptions?: AnyOptionSchema;
  /**
   * Starts it in one server. When the server boots, this is called before the services are bound, so that its guards
   * count for them. Everything that belongs to one server is made here.
   *
   * @throws {ConfigurationError} which stops the boot
   */
  start(host: ExtensionHost<Server>): MaybePromise<Parts>;
}

/** The server, as a package sees it. */
export interface ExtensionHost<Server> {
  /** Add operations with `server.tools.add` and its siblings, at boot as well as later. */
  readonly server: Server;
  /** The values of `Extension.options`. Each was accepted by its rule. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Its timers fire in the asynchronous context in which the server was created. */
  readonly clock: Clock;
  readonly logger: Logger;
  /**
   * Makes a counter, for OpenTelemetry. Without an SDK it counts nothing.
   *
   * @returns counts one. With 0 it shows a series before anything has happened: an alert on what a series has grown by
   *   cannot see the first event of a series that begins with it.
   */
  counter(name: string, options: CounterOptions): (attributes: MetricAttributes, by?: 0 | 1) => void;
  /**
   * Makes a histogram of durations, for OpenTelemetry. Without an SDK it measures nothing.
   *
   * @returns measures one duration
   */
  duration(name: string, description: string): (seconds: number, attributes: MetricAttributes) => void;
  /** What the processes of the server share. Without shared claims, these are the claims of this process. */
  readonly stores: ServerStores & { readonly claims: ClaimStore };
  /** The secrets of the server, from which packages derive keys (`Seal`). `undefined`: it has none. */
  readonly secrets: readonly string[] | undefined;
  /** What lists show to a caller. A method that shows operations shows nothing else. */
  readonly listed: ListView;
  /** Calls of tools inside of other calls. Each has everything that a call of a client has. */
  readonly calls: InnerCalls;
  /** How many calls of one caller run at a time. `Infinity`: as many as it likes. */
  readonly callsAtATime: number;
  /**
   * Places that callers take in turns, and the tenants of callers, as they do for the slots of calls.
   *
   * @param total how many there are
   * @returns takes a place for a caller (`callerKey`), and returns what gives it back; `undefined` when the signal ended the waiting
   */
  places(total: number): (caller: string, signal: AbortSignal) => MaybePromise<(() => void) | undefined>;
  /** How long a question to a client is good, in milliseconds. */
  readonly answerMs: number;
  /** Records in the audit log what the package has done for a caller. It does not wait for the log. */
  record(entry: PackageRecord): void;
  /** Tells those who listen to `server.on('security')` of something that may be an attack. Record it, too. */
  alarm(event: Pick<SecurityEvent, 'type' | 'caller' | 'operation' | 'reason'>): void;
  /**
   * Present if the server has a task queue that hands out the runs of background methods, each once over all processes.
   * `now` is the clock of the queue, if it has one: what is due goes by it.
   */
  readonly ticks?: { readonly now?: (() => MaybePromise<number>) | undefined } | undefined;
  /**
   * What the package's build step has left in the manifests that are loaded by now. While the extension starts, these are
   * the manifests that the options name; in `ready`, all of them.
   */
  manifestFields(): readonly ManifestField[];
}

/** What a package records about something that it has done. Nothing in it may be a secret. */
export interface PackageRecord {
  /** What was acted on, such as `token`. Add it to `BackgroundNouns`. */
  readonly operation: BackgroundNoun;
  readonly name: string;
  /** `ok`, or a word for what went wrong. */
  readonly outcome: string;
  readonly principal: Principal | undefined;
  /** Who approved or refused it, or may do so from now on. */
  readonly approver?: Principal | undefined;
  /** What the record shows besides. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A field that a build step has written to a manifest. */
export interface ManifestField {
  /** The package whose manifest it is. */
  readonly package: string;
  readonly value: unknown;
}

/** What an extension adds to one server. */
export interface ExtensionParts extends ProtocolAdditions {
  readonly guards?: readonly Guard[];
  /**
   * Members of `ToolContext`, by name. A member is made when a method first reads it, once for each call. Add them to
   * `ExtraContext`, too.
   *
   * @example
   * context: { quota: (call) => quotas.of(call.request.principal) }
   */
  readonly context?: Readonly<Record<string, (call: ContextCall) => unknown>>;
  /** Runs the methods that have the package's decorator (`backgroundMethod`). Nobody calls them. */
  readonly background?: BackgroundPart;
  /** Has people approve calls on a page (`@Confirm` with `by: 'page'`). One package of a server can. */
  readonly approve?: AskForApproval;
  /** Is called at the end of the boot, when all services are bound. An error stops the boot. */
  ready?(): MaybePromise<void>;
  /** Is called when the server closes, after its calls have ended. */
  close?(): MaybePromise<void>;
}

/** A call, as a member of its context sees it. */
export interface ContextCall extends Call {
  /** The key under which limits count the calls of this caller. */
  readonly callerKey: string;
  /** What the call has done so far, as sentences. Its caller reads them when it ends early: at its deadline, or when the server stops. */
  soFar?: () => string;
  /** The program that it runs. Records have its digest, also those of the calls inside of it. */
  program?: RunningProgram;
  /**
   * Runs something that waits for a person. Meanwhile the deadline does not run, and others may use the call's slots.
   *
   * @param run when the server stops, it ends the round on 2026-07-28 with its question, so that another process can go on. A
   *   call of an older revision is stopped.
   */
  whileAway<T>(run: (stop: ServerStop) => Promise<T>): Promise<T>;
  /** Says that the result has something that is good for this call alone, such as a link. `@Cache` does not keep it. */
  keepNoResult(): void;
}

/**
 * Runs decorated methods that nobody calls, such as by a clock. Core binds each of them, with the guards that mean
 * something without a caller (`@Timeout`, `@Audit`), and says what is wrong with a method that cannot be run so. The code
 * of these problems is made of the noun: `TW_<NOUN>_INVALID`. Add it to `ExtraErrorCodes`, and the noun to
 * `BackgroundNouns`.
 */
export interface BackgroundPart extends BackgroundSource {
  /**
   * Says what a method is, from what its decorator says. The options were accepted by their rules.
   *
   * @param label `Class.method`
   */
  draft(options: never, label: string): DraftedBackground | { readonly problem: BackgroundProblem };
}

/** What a package says about a method that it runs. */
export interface DraftedBackground {
  /** Unique among the methods of the package, over all processes the same. */
  readonly name: string;
  /** The package gets it back with the method. */
  readonly data: unknown;
  /** What happens to a run on a task queue that was lost or has failed. */
  readonly task?: Pick<ToolTask, 'rerun' | 'retries' | 'backoff'>;
}

/** Why a method cannot be run as its decorator says. */
export interface BackgroundProblem {
  readonly message: string;
  readonly fix: string;
}
