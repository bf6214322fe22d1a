import type { JsonSchema, Revival, StandardSchema, TypeTable, MaybePromise } from '@toolwright/json';
import type { ManifestParameter } from '@toolwright/manifest';
import { hash } from 'node:crypto';
import { sourcePlace } from '../../base/errors/configuration-error.js';
import { type OperationKind, factsOf } from '../../base/operation-kinds.js';
import type { Era, SessionHandle } from '../../base/request-context.js';
import type { ToolContext } from '../context/tool-context.js';
import type {
  BoundOperation,
  BoundPrompt,
  BoundResource,
  BoundResourceTemplate,
  BoundTool,
  Call,
  OfKind,
  ToolTask,
} from './operation.js';

/** An operation whose chain is not planned yet, with the method that the end of the chain calls. */
export type Draft<O extends BoundOperation> = Omit<O, 'run' | 'plan' | 'contract'> & {
  /**
   * The contract of a tool, if its schemas were extended after they were written. Otherwise see
   * `contractOf`.
   */
  readonly contract?: string;
  /**
   * Finds the location of the decorator when `location` is missing. Only messages read it, because finding it takes
   * as long as planning.
   */
  readonly site?: { readonly location: string | undefined };
  readonly target: Target;
  /** The natural 2020-12 schema of the arguments. Without it, the arguments are passed on unchecked. */
  readonly inputSchema?: JsonSchema;
};
export type ToolDraft = Draft<BoundTool>;
export type PromptDraft = Draft<BoundPrompt>;
export type ResourceDraft = Draft<BoundResource>;
export type ResourceTemplateDraft = Draft<BoundResourceTemplate>;
export type AnyDraft = { [K in OperationKind]: Draft<OfKind<K>> }[OperationKind];

/** How calls of an operation become tasks, if they do. */
export function taskOf(draft: AnyDraft): ToolTask | undefined {
  return 'task' in draft ? draft.task : undefined;
}

/** The part of an operation, ready or not, that says where it was written. */
export type Located = Pick<AnyDraft, 'location' | 'site'>;

/** `{ location }` in the source, for a problem of an operation; an empty object when the location is not known. */
export function locationOf({ location, site }: Located): { location?: string } {
  const known = location ?? site?.location;
  return known ? { location: sourcePlace(known) } : {};
}

/** Holds the instances of one call. The request scope of the container is one. */
export interface CallScope {
  /** Disposes what was built only for this call. */
  dispose(): MaybePromise<void>;
  /** Is called when the work has ended, which may be later. It releases instances that other calls use, too. */
  leave(): void;
}

/** The part of a call that a scope may read. The context is made when it is first read. */
export interface CallSource {
  readonly context: ToolContext;
  readonly operation: { readonly name: string };
  readonly request: { readonly session?: SessionHandle | undefined; readonly era: Era };
}

/**
 * Runs around a method.
 *
 * @param instance the object that the method is called on
 * @param proceed calls the method, with all its arguments
 */
export type AroundMethod = (call: Call, instance: unknown, proceed: () => unknown) => unknown;

/** A parameter that the container fills in. */
export interface InjectedParameter {
  readonly index: number;
  /** @param scope present when the target opens one */
  value(scope: CallScope | undefined): MaybePromise<unknown>;
}

/** A schema of Zod, Valibot, ArkType or the like that checks arguments, and whose output the method gets. */
export interface StandardArgument {
  /** The argument; `''` for all arguments together. */
  readonly name: string;
  readonly schema: StandardSchema;
  /** Whether it accepts an argument that was left out, and may have a default for it. */
  readonly takesNothing: boolean;
}

/**
 * The method behind an operation, and how to get its instance. It is made at boot by code that knows the
 * container.
 */
export interface Target {
  /** The method. `this` is what `instance` returns. */
  readonly method: (...args: never[]) => unknown;
  /**
   * The object on which `method` is called: a singleton, the class itself for a static method, or what
   * `scope` builds.
   */
  instance(scope: CallScope | undefined): MaybePromise<unknown>;
  /**
   * Present when something lives shorter than the server. The scope is opened just before the method runs,
   * and disposed when it has ended.
   */
  openScope?(call: CallSource): CallScope;
  /** The positions among `parameters` that the container fills in. `undefined` for most methods. */
  readonly injected?: readonly InjectedParameter[] | undefined;
  /** Runs around `method`, if the container wants that. */
  readonly around?: AroundMethod | undefined;
  /**
   * The parameters in their order. `undefined`: the method takes the arguments object and a `ToolContext`.
   */
  readonly parameters?: readonly ManifestParameter[];
  /** `undefined` for most methods. If one is for all arguments, it is the only one. */
  readonly standard?: readonly StandardArgument[] | undefined;
  /** The revivals of the manifest entry. */
  readonly revive?: { input?: Readonly<Record<string, Revival>>; output?: Revival };
  /** Present when the type of the method says that it returns the protocol's own result. */
  readonly protocolResult?: 'tool' | 'prompt' | 'resource';
  /**
   * The natural schema of the data that the method of a prompt or of a resource returns, if it returns data.
   */
  readonly resultSchema?: JsonSchema | undefined;
  /** True when the method returns an AsyncIterable. */
  readonly stream?: boolean;
  /** Required when `revive` is present. */
  readonly types?: TypeTable;
}

/**
 * A hash that shows changes of what is published: SHA-256 (hex) of name, description, schemas and annotations. All names
 * of one version of a tool have the same. `undefined` for kinds that publish no schemas. It is computed when it is first needed, because most tools of
 * a large server are never called.
 */
export function contractOf(draft: AnyDraft): string | undefined {
  if (!factsOf(draft).publishesSchemas) return undefined;
  const { contract, name, versionOf: bareName = name, description, annotations, inputSchema } = draft;
  const { outputSchema } = draft as { outputSchema?: unknown };
  return (
    contract ??
    hash('sha256', JSON.stringify([bareName, description, inputSchema, outputSchema, annotations]), 'hex')
  );
}

/**
 * Whether a call leaves out the parameter that is the whole input, so that its own default applies. Arguments with
 * parameters of their own do not count. Undefined for methods that take what is there.
 */
export function leavesOutWhole(
  parameters: readonly ManifestParameter[] = [],
): ((args: object) => boolean) | undefined {
  const whole = parameters.find(({ kind }) => kind === 'input');
  if (!whole?.ownDefault) return undefined;
  const others = new Set(parameters.filter((each) => each !== whole).map(({ name }) => name));
  return (args) => Object.keys(args).every((name) => others.has(name));
}
