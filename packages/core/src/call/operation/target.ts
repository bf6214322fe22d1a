import type { MaybePromise } from '../../base/maybe-promise.js';
import type { JsonSchema, ManifestParameter, Revival } from '@toolwright/manifest';
import type { Era } from '../../base/revision.js';
import type { SessionHandle } from '../../base/request-context.js';
import type { ToolContext } from '../context/tool-context.js';

/** A class that can be built with `new`. */
export type Constructor<T = object> = new (...args: never[]) => T;

/** Where the instances of one call live; the container's request scope is one. */
export interface CallScope {
  /** Disposes what was built for the call alone. */
  dispose(): MaybePromise<void>;
  /** The work is over, which may be later: lets go of what others use as well. */
  leave(): void;
}

/** What a scope may know of its call; the context is made when somebody asks for it. */
export interface CallSource {
  readonly context: ToolContext;
  readonly operation: { readonly name: string };
  readonly request: { readonly session?: SessionHandle | undefined; readonly era: Era };
}

/** A parameter that the container fills in. */
export interface InjectedParameter {
  readonly index: number;
  /** @param scope there when the target opens one */
  value(scope: CallScope | undefined): MaybePromise<unknown>;
}

/** A DTO class that arguments are revived into. */
export interface DtoClass {
  readonly constructor: Constructor;
  /** What is left to do after Ajv has accepted the value; `ManifestClass.validation`. */
  readonly validation: 'skip' | 'residual' | 'full';
}

/** Finds what the revivals of one manifest refer to. */
export interface TypeTable {
  revival(name: string): Revival | undefined;
  dto(key: string): DtoClass | undefined;
}

/** The method behind an operation and how to get at it. Made at boot by whoever knows the container. */
export interface Target {
  /** Called with `this` as `instance` gives it. */
  readonly method: (...args: never[]) => unknown;
  /** What `method` is called on: a singleton, the class itself for a static method, or what `scope` builds. */
  instance(scope: CallScope | undefined): MaybePromise<unknown>;
  /** There when something does not live as long as the server: opened just before the method, disposed when it ended. */
  openScope?(call: CallSource): CallScope;
  /** The positions among `parameters` that the container fills in; absent for most methods. */
  readonly injected?: readonly InjectedParameter[] | undefined;
  /** In the order of the method's positions. Absent: the method takes the arguments object and a `ToolContext`. */
  readonly parameters?: readonly ManifestParameter[];
  /** The revivals of the manifest entry. */
  readonly revive?: { input?: Readonly<Record<string, Revival>>; output?: Revival };
  /** The method returns the protocol's own result, whatever it looks like. */
  readonly protocolResult?: 'tool' | 'prompt' | 'resource';
  /** Natural schema of what the method of a prompt or of a resource returns, where that is data. */
  readonly resultSchema?: JsonSchema | undefined;
  /** The method returns an AsyncIterable. */
  readonly stream?: boolean;
  /** Needed when `revive` is there. */
  readonly types?: TypeTable;
}
