/** What is known about a key. The key itself is kept nowhere. */
export interface ApiKey {
  readonly id: string;
  readonly subject: string;
  readonly issuer?: string;
  readonly tenant?: string;
  readonly name?: string;
  readonly scopes: readonly string[];
  /** Milliseconds since the epoch, like all times here. */
  readonly created: number;
  readonly expires?: number;
  /** When it was used last, to the minute. */
  readonly lastUsed?: number;
}

/** What is known about a grant. Its tokens are shown to nobody. */
export interface UserGrant {
  readonly id: string;
  /** Whose it is. */
  readonly issuer: string;
  readonly subject: string;
  readonly tenant?: string;
  readonly resource: string;
  readonly scopes: readonly string[];
  /** Milliseconds since the epoch: when it was granted, and when its token was refreshed last. */
  readonly created: number;
  readonly renewed: number;
  /** Present and true if nobody can use it any more here, and its issuer has not revoked it yet. */
  readonly revoked?: true;
}

/** A skill, as operators see it. */
export interface SkillState {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  /** Each file, or `dynamic` for a skill that a method writes. */
  readonly files:
    readonly { readonly uri: string; readonly digest: string; readonly size: number }[] | 'dynamic';
  /** The scopes that a caller needs. */
  readonly scopes: readonly string[];
  /** True if the skill is for some callers only (`for`). */
  readonly isForSome: boolean;
}

/** A method that runs by itself in this process. */
export interface ScheduleState {
  readonly name: string;
  readonly cron: string;
  readonly timeZone: string;
  /** When it is due next, in milliseconds since the epoch. Missing if it is never due again. */
  readonly nextAt?: number;
  /** The last time that was due since this process started, and what became of it. */
  readonly last?: { readonly at: number; readonly outcome: 'begun' | 'taken' | 'overlapping' | 'missed' };
}

/** One request of the doctor of sign-ins, for its time line. */
export interface RecordedRequest {
  readonly method: string;
  /** Without its query, which may hold codes. */
  readonly url: string;
  /** `undefined`: no answer came. */
  readonly status: number | undefined;
}

/** One step of the time line. */
export interface ObservedStep<Step extends string = string> {
  readonly step: Step;
  readonly outcome: 'ok' | 'failed' | 'left out';
  /** When it began, in milliseconds since the epoch, and how long it took. */
  readonly at: number;
  readonly ms: number;
  /** What was found. */
  readonly notes: readonly string[];
  readonly exchanges: readonly RecordedRequest[];
}

/** A sign-in, step by step, and what is wrong. It holds no token, no code and no secret. */
export interface SignInDiagnosis<
  Step extends string = string,
  Code extends string = string,
  Party extends string = string,
> {
  readonly url: string;
  readonly steps: readonly ObservedStep<Step>[];
  /** The step that failed, who is responsible, and what to do. `undefined`: none has failed. */
  readonly failure?: {
    readonly code: Code;
    readonly step: Step;
    readonly responsible: Party;
    readonly problem: string;
    readonly advice: string;
  };
  /** True when a token was accepted, or when the server lets anybody in. */
  readonly isSignedIn: boolean;
}

/** A call that a model makes in a chat. */
export interface ChatCallState {
  readonly id: string;
  readonly tool: string;
  /** A text, if the model wrote something else than an object. */
  readonly arguments: Readonly<Record<string, unknown>> | string;
  /** `asks`: a person says whether it is made. */
  readonly state: 'asks' | 'running' | 'ended';
  /** The id of the call of the console that it has become. */
  readonly call?: string;
  /** Why it was not made. The model has read the same. */
  readonly problem?: string;
}

/** What a model took. `isEstimate`: its provider does not count, so the numbers are made of the texts. */
export interface ChatTokens {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly isEstimate?: true;
}

/** One answer of a model. */
export interface ChatAnswerState {
  readonly text: string;
  readonly reasoning: string;
  /** What is to be known of it, such as that it was cut. */
  readonly notes: readonly string[];
  readonly calls: readonly ChatCallState[];
  readonly tokens: ChatTokens;
  readonly durationMs: number;
}

/** What a person wrote in a chat, and what came of it. */
export interface ChatTurnState {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly state: 'running' | 'ended';
  readonly answers: readonly ChatAnswerState[];
  /** Of all answers. */
  readonly tokens: ChatTokens;
  readonly durationMs?: number;
  /** Why it ended before the model had its last word. */
  readonly problem?: { readonly code: string; readonly message: string };
}
