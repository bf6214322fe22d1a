import type { DisplayMode, ViewHost } from './host.js';
import type { CallProgress, PartOf } from './progress.js';
import type { CallOptions } from './rpc.js';

/**
 * The tools that views of this project can call. `toolwright build` writes `views.d.ts`, which adds each tool:
 * `{ next_rows: { args: { from: number }; result: string[] } }`.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- projects add to it
export interface ViewTools {}

export type ToolName = keyof ViewTools extends never ? string : keyof ViewTools & string;
export type ArgsOf<Name> = Name extends keyof ViewTools
  ? ViewTools[Name] extends { args: infer Args }
    ? Args
    : never
  : Record<string, unknown>;
export type ToolResultOf<Name> = Name extends keyof ViewTools
  ? ViewTools[Name] extends { result: infer Result }
    ? Result
    : never
  : unknown;

/** How far the call is whose result the view shows. */
export type ViewPhase = 'loading' | 'done' | 'failed' | 'cancelled';

/** All that a view shows, at one time. It is a new object after each change. */
export interface ViewSnapshot<Result = unknown, Args = Record<string, unknown>, State = unknown> {
  readonly phase: ViewPhase;
  /** The arguments of the call. While the model still writes them, some are missing. */
  readonly args: Partial<Args>;
  readonly result: Result | undefined;
  /** What has come of the result so far, if the host hands it on. The console's host does. */
  readonly part: PartOf<Result> | undefined;
  /** How far the call is, if the host says so. */
  readonly progress: CallProgress<PartOf<Result>> | undefined;
  /** The text of the result, which the model reads, or the reason of a failure. */
  readonly text: string;
  readonly host: ViewHost;
  readonly state: State | undefined;
}

/** A page in a chat, and the host around it. */
export interface View<Result = unknown, Args = Record<string, unknown>, State = unknown> extends ViewSnapshot<
  Result,
  Args,
  State
> {
  readonly snapshot: ViewSnapshot<Result, Args, State>;
  /** Resolves when the host has answered. Everything that is sent before waits for it. */
  readonly ready: Promise<ViewHost>;
  /** Calls the listener with each result, also with one that is there already. @returns a function that ends it */
  onResult(listener: (result: Result) => void): () => void;
  /** Calls the listener after each change of `snapshot`. @returns a function that ends it */
  onChange(listener: () => void): () => void;
  /** The host is about to remove the view. It waits for the promise of the listener. */
  onClose(listener: () => unknown): () => void;
  /**
   * Calls a tool of the server that the view came from.
   *
   * @returns what its method returns, as JSON
   * @throws {ViewError} with the text of an error result, or when the host refuses
   */
  call<Name extends ToolName>(
    name: Name,
    args: ArgsOf<Name>,
    options?: CallOptions<PartOf<ToolResultOf<Name>>>,
  ): Promise<ToolResultOf<Name>>;
  /** Reads a resource of the server. @returns its contents, as the protocol has them */
  read(uri: string): Promise<readonly ViewContents[]>;
  /** Says something in the chat, as the person who looks at the view. */
  message(text: string): Promise<void>;
  /** Says what the model should know of, each time in place of what was said before. */
  tellModel(text: string, data?: Record<string, unknown>): Promise<void>;
  openLink(url: string): Promise<void>;
  /** Offers a file to the person. @param content text, or the Base64 of bytes as `blob` */
  download(file: ViewFile): Promise<void>;
  /** @returns the mode that the host has chosen, which may be another one */
  requestDisplayMode(mode: DisplayMode): Promise<DisplayMode>;
  /** Changes the state, and keeps it for the time when the page is loaded again. It must be JSON. */
  setState(state: State): void;
  /** Writes to the log of the host. */
  log(level: 'debug' | 'info' | 'warning' | 'error', data: unknown): void;
  /** Asks the host to remove the view. */
  close(): void;
}

export interface ViewContents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
}

export interface ViewFile {
  readonly name: string;
  readonly mimeType: string;
  readonly text?: string;
  readonly blob?: string;
}

/** What a component of a view gets. */
export interface ViewProps<Result = unknown, Args = Record<string, unknown>, State = unknown> {
  readonly result: Result;
  readonly args: Partial<Args>;
  readonly view: View<Result, Args, State>;
}

/** What a component gets whose file says `export const partial = true`. It is drawn before the whole result is there. */
export type PartialViewOf<Name extends keyof ViewTools, State = unknown> = Omit<
  ViewOf<Name, State>,
  'result'
> & { readonly result: PartOf<ToolResultOf<Name>> };

/** What the component of a tool gets: `ViewOf<'show_climate'>`. */
export type ViewOf<Name extends keyof ViewTools, State = unknown> = ViewProps<
  ToolResultOf<Name>,
  ArgsOf<Name>,
  State
>;
