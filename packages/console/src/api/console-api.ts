import type { HeldText, MountStatus, ScheduleState, SkillState } from '@toolwright/json';
import type { ServerState } from '@toolwright/core/operate';
import type { AuditApi, AuditEntry } from './audit-api.js';
import type { CallApi, OwnCall } from './call-api.js';
import type { ChatApi, ChatOf, ShownChat } from './chat-api.js';
import type { EvaluationApi } from './evaluation-api.js';
import type { ExplainApi } from './explain-api.js';
import type { KeysApi } from './keys-api.js';
import type { Access, Awaitable, OnServer, Overview, OverviewApi, ProjectProblem } from './overview-api.js';
import type { ProjectApi, RecordedFailure } from './project-api.js';
import type { RecordApi, RecordedCall, RecordedMessage, Sequenced } from './record-api.js';
import type { SearchApi } from './search-api.js';
import type { ObservedSignIn, SignInApi } from './sign-in-api.js';
import type { SurfaceApi } from './surface-api.js';

/**
 * Everything that the page may ask. Each method is one `POST /api/<name>`, with its parameter and its result as JSON.
 * Each part is answered by a module of its own.
 */
export type ConsoleApi = OverviewApi &
  SurfaceApi &
  SearchApi &
  CallApi &
  ChatApi &
  RecordApi &
  ExplainApi &
  StateApi &
  KeysApi &
  AuditApi &
  ProjectApi &
  EvaluationApi &
  SignInApi;

export type ConsoleMethod = keyof ConsoleApi;
export type ParamsOf<M extends ConsoleMethod> = Parameters<ConsoleApi[M]>[0];
export type ResultOf<M extends ConsoleMethod> = Awaited<ReturnType<ConsoleApi[M]>>;

/** The access that each method needs. */
export const methodAccess = {
  overview: 'read',
  surface: 'read',
  whoSees: 'call',
  searchTools: 'call',
  check: 'call',
  startCall: 'call',
  answerQuestion: 'call',
  cancelCall: 'call',
  complete: 'call',
  chat: 'call',
  sendToChat: 'call',
  allowChatCall: 'call',
  stopChat: 'call',
  newChat: 'call',
  casesOfChat: 'call',
  saveChatCases: 'project',
  ownCalls: 'call',
  calls: 'read',
  messages: 'read',
  spans: 'read',
  clearRecords: 'change',
  explain: 'read',
  programs: 'read',
  state: 'read',
  endSession: 'change',
  cancelRunningCall: 'change',
  cancelTask: 'change',
  retryTask: 'change',
  resetLimits: 'change',
  restartMount: 'change',
  acceptUpstream: 'change',
  reloadSkills: 'change',
  keysAndGrants: 'read',
  createKey: 'change',
  revokeKey: 'change',
  revokeGrant: 'change',
  auditRecords: 'read',
  verifyAudit: 'read',
  usage: 'read',
  costs: 'read',
  contract: 'project',
  origins: 'project',
  openSource: 'project',
  failure: 'project',
  evaluations: 'project',
  signIn: 'project',
  startSignIn: 'project',
} as const satisfies Readonly<Record<ConsoleMethod, Access>>;

/** A request that is wrong, or asks for something that is not there. Its message is shown to the person. */
export class ConsoleRefusal extends Error {
  override readonly name = 'ConsoleRefusal';
}

/**
 * A page of an MCP App that the console shows. It is sent to `POST frames`, beside `api/`. The answer is an
 * `AppFrame`, whose `url` is shown in `<iframe sandbox="allow-scripts">`. The page has an origin of its own, and a policy
 * of its own.
 */
export interface AppFrameRequest {
  /** The HTML of the resource. */
  readonly html: string;
  /** What the resource declares in `_meta.ui.csp`. */
  readonly csp?: AppFramePolicy;
}

/** The origins that a page may use. See the extension `io.modelcontextprotocol/ui`, revision 2026-01-26. */
export interface AppFramePolicy {
  /** Scripts, styles, images, fonts and media. */
  readonly resourceDomains?: readonly string[];
  /** `fetch`, `XMLHttpRequest` and `WebSocket`. */
  readonly connectDomains?: readonly string[];
  readonly frameDomains?: readonly string[];
  readonly baseUriDomains?: readonly string[];
}

export interface AppFrame {
  readonly url: string;
}

/** What the console tells the page without being asked, on `GET /api/events` as server-sent events. */
export type ConsoleEvent =
  /** The servers, or whether the app runs, have changed. */
  | { readonly type: 'overview'; readonly overview: Overview }
  /** What a server lists has changed: ask `surface` again. */
  | { readonly type: 'surface'; readonly server: string }
  /** The page of an MCP App has changed: read it again. */
  | { readonly type: 'page'; readonly server: string; readonly uri: string }
  /** A call of any client began or ended. */
  | { readonly type: 'call'; readonly call: Sequenced<RecordedCall> }
  | { readonly type: 'message'; readonly message: Sequenced<RecordedMessage> }
  /** Spans of these traces have come: ask `spans` again. */
  | { readonly type: 'spans'; readonly traceIds: readonly string[] }
  /** A call that the console makes has gone on. */
  | { readonly type: 'ownCall'; readonly call: OwnCall }
  /** A chat has gone on. Only the pages of its operator hear of it. */
  | ({ readonly type: 'chat'; readonly chat: ShownChat; readonly operator?: string } & ChatOf)
  /** The page reads too slowly, and has lost events: everything is to be asked anew. */
  | { readonly type: 'lost' }
  /** Records were sealed in the audit log of a server. A page may have had some of them already. */
  | { readonly type: 'audit'; readonly server: string; readonly records: readonly AuditEntry[] }
  /** A call has failed with an error whose text its caller does not see. In `toolwright dev` only. */
  | { readonly type: 'failure'; readonly failure: RecordedFailure }
  /** A sign-in that the console looks at has gone on. In `toolwright dev` only. */
  | { readonly type: 'signIn'; readonly signIn: ObservedSignIn }
  /** A compilation has ended. */
  | { readonly type: 'build'; readonly problems: readonly ProjectProblem[]; readonly durationMs: number };

/** What a server keeps at this moment. Every `key` is a digest: no ids of sessions and tasks leave the server. */
interface ConsoleState extends Omit<ServerState, 'mounts' | 'heldChanges' | 'skills'> {
  /** Missing in a server without `@toolwright/schedules`. */
  readonly schedules?: readonly ScheduleState[];
  /** Missing in a server without `@toolwright/mount`. */
  readonly mounts?: readonly MountStatus[];
  readonly heldChanges?: readonly HeldText[];
  /** Missing in a server without `@toolwright/skills`. */
  readonly skills?: readonly SkillState[];
  readonly counts: ServerState['counts'] & {
    readonly schedules?: number;
    readonly mounts?: number;
    readonly heldChanges?: number;
    readonly skills?: number;
  };
  /** The memory of the whole process, in bytes. */
  readonly memoryBytes: number;
}

interface Keyed extends OnServer {
  /** The key of what is meant, such as a task, as the state shows it. */
  readonly key: string;
}

/** Each change is recorded in the audit log of the server. */
export interface StateApi {
  state(params: OnServer): Awaitable<ConsoleState>;
  endSession(params: Keyed): Awaitable<Record<string, never>>;
  /** Ends a call of any client; `number` is the one of its trace. */
  cancelRunningCall(params: OnServer & { readonly number: number }): Awaitable<Record<string, never>>;
  cancelTask(params: Keyed): Awaitable<Record<string, never>>;
  /** Begins the work of an ended task again. Returns the key of the new task. */
  retryTask(params: Keyed): Awaitable<{ readonly key: string }>;
  /** Gives the caller of one limit, or all callers, their points back. */
  resetLimits(params: OnServer & { readonly key?: string }): Awaitable<{ readonly count: number }>;
  restartMount(params: OnServer & { readonly mount: string }): Awaitable<Record<string, never>>;
  /** Accepts the form that the operator has read, by its digest. */
  acceptUpstream(
    params: OnServer & { readonly mount: string; readonly digest: string },
  ): Awaitable<Record<string, never>>;
  /** Reads the folders of skills again. */
  reloadSkills(params: OnServer): Awaitable<Record<string, never>>;
}
