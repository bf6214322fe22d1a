import type { Operation } from './surface-api.js';
import type { Awaitable, OnServer, ProjectProblem } from './overview-api.js';

/** One difference between what is published and the lock file. */
export interface ContractChange {
  /** The name of a tool; for others their kind, too: `prompt greet`. For what a package adds, the name of the package. */
  readonly tool: string;
  /** The operation that has changed; left out for what a package adds. */
  readonly operation?: Pick<Operation, 'kind' | 'key'>;
  readonly kind: 'breaking' | 'compatible' | 'text';
  readonly message: string;
}

export interface Contract {
  /** Of the last compilation. */
  readonly problems: readonly ProjectProblem[];
  /** Of the linter. */
  readonly lintProblems: readonly ProjectProblem[];
  readonly tokens: {
    readonly total: number;
    readonly budget?: number;
    readonly tools: readonly { readonly name: string; readonly tokens: number }[];
  };
  /** Against the lock file; undefined without one. */
  readonly changes?: readonly ContractChange[];
  readonly lockFile?: string;
}

/** Where a keyword of a schema comes from. */
export interface KeywordOrigin {
  /** A JSON pointer that begins with `/input` or `/output`, into the schema of that role: `/input/properties/limit/maximum`. */
  readonly pointer: string;
  /** Such as `type of the parameter`, `@minLength`, `@Max(10)`. */
  readonly origin: string;
  readonly location?: string;
}

/** An error whose text its caller does not see, as `toolwright dev` shows it to the person who writes the app. */
export interface RecordedFailure {
  /** The reference of the error: the caller got it, and the trace has it. */
  readonly reference: string;
  /** Name, message and stack of the error and of its causes. The places are those of the sources. */
  readonly text: string;
  /** The first place that is in the project: `file:line:column`. */
  readonly location?: string;
  /** The lines of the source around it. */
  readonly excerpt?: readonly { readonly number: number; readonly text: string }[];
}

export interface ProjectApi {
  /** `null`: the console does not know this error, or not any more. */
  failure(params: { readonly reference: string }): Awaitable<RecordedFailure | null>;
  contract(params: OnServer): Awaitable<Contract>;
  origins(params: OnServer & { readonly tool: string }): Awaitable<readonly KeywordOrigin[]>;
  /** Opens a place of the project in the person's editor. */
  openSource(params: { readonly location: string }): Awaitable<Record<string, never>>;
}
