/** One server of the process. */
export interface ServerSummary {
  /** Unique within the process, and the same after a restart. */
  readonly id: string;
  readonly name: string;
  readonly title?: string;
  readonly version: string;
  readonly instructions?: string;
  /** `@toolwright/chat` is installed. Without it, the page shows nothing of a chat. */
  readonly hasChat?: true;
}

export interface Overview {
  readonly servers: readonly ServerSummary[];
  /** What this console may do. */
  readonly access: readonly Access[];
  /** The URL of the MCP endpoint, where it is known. */
  readonly endpoint?: string;
  /** The command that starts the app over stdio, where it is known. */
  readonly command?: { readonly program: string; readonly args: readonly string[] };
  /** `starting`: for the first time. `restarting`: the app has ended, and a new one is about to start. */
  readonly app: 'starting' | 'running' | 'restarting' | 'stopped';
  /** Why the newest version of the app does not run. The last good version may still do. */
  readonly failure?: string | undefined;
  /** The errors of the last compilation, if it has some. The app then is the last good version. */
  readonly compileErrors?: CompileErrors | undefined;
  /** The origin on which pages of MCP Apps are shown; left out where the console cannot show them. */
  readonly appOrigin?: string;
  /** The people of the local issuer of `dev`, as whom the console can play. */
  readonly testUsers?: readonly { subject: string; issuer: string; scopes: readonly string[] }[];
  /** The version of Toolwright. */
  readonly toolwright: string;
}

/** A problem of the compilation or one of the linter. */
export interface ProjectProblem {
  readonly severity: 'error' | 'warning' | 'info';
  readonly code: string;
  readonly message: string;
  readonly tool?: string;
  /** `file:line:column`, relative to the project. */
  readonly location?: string;
}

export interface CompileErrors {
  readonly count: number;
  /** The first of them. */
  readonly first: readonly ProjectProblem[];
}

export interface OverviewApi {
  overview(params: Record<string, never>): Awaitable<Overview>;
}

/** Parameters of whatever is about one server. */
export interface OnServer {
  /** The `id` of the server. */
  readonly server: string;
}

/**
 * What a method does. A console that is mounted in an application answers only `read`, unless its options allow more;
 * `project` exists only where there is a project to look at, which is in `toolwright dev`.
 */
export type Access = 'read' | 'call' | 'change' | 'project';

/** A value, or a promise of it. */
export type Awaitable<T> = T | Promise<T>;
