import { ConfigurationError } from '@toolwright/ground/base/errors/configuration-error';
import type { MethodRecords } from '@toolwright/ground/base/metadata/class-records';
import type { AnyClass, DecoratorRecord } from '@toolwright/ground/base/metadata/store';
import type { QuestionTable } from '@toolwright/ground/call/context/tool-context';
import type { CallCounter } from '@toolwright/ground/call/invoke';
import type {
  Draft,
  StandardArgument,
  Target,
  ToolDraft,
  CallScope,
} from '@toolwright/ground/call/operation/draft';
import type { BoundOperation } from '@toolwright/ground/call/operation/operation';
import type { Node } from '../../container/binding.js';
import type { Container } from '../../container/container.js';
import { type Kernel, RequestScope } from '../../container/kernel.js';
import { type InjectionToken, describeToken } from '../../container/provider.js';
import type { ServerHost } from '../../protocol/served-protocol.js';
import type { ClassFinder } from '../classes/class-finder.js';
import type { DecoratedMethod, Service } from '../classes/service.js';
import type { BackgroundPart, DraftedBackground } from '../extensions/extension.js';
import type { Extensions } from '../extensions/extensions.js';
import type { Manifests } from '../manifest/load-manifests.js';
import type { ClassEntry } from '../manifest/loaded-manifest.js';
import type { ConstructorTypeLoader } from './constructor-types.js';
import type { QuestionRegistry } from './type-table.js';
import { type JsonSchema, type TypeTable, getOrMake } from '@toolwright/json';
import type { ManifestEntry } from '@toolwright/manifest';

/** A service with its manifest entry, and the way to get its instances. */
export interface BoundService {
  readonly service: Service;
  readonly match: ClassEntry;
  /** Undefined if every operation is a static method. */
  readonly node: Node | undefined;
  readonly types: TypeTable;
  readonly questions: QuestionTable;
  readonly calls: CallCounter;
}

/** One decorated method, with what the compiler knows about it. */
export interface BoundMethod {
  readonly bound: BoundService;
  readonly method: DecoratedMethod;
  /**
   * The parameters in this entry that the container fills in are not arguments, even if the compiler took
   * them for arguments.
   */
  readonly entry: ManifestEntry;
  /** The schema of what clients send. */
  readonly input: JsonSchema | undefined;
  /** The schemas of libraries that check arguments. */
  readonly standard?: readonly StandardArgument[] | undefined;
  /** The object that the method is called on, and what the container does around the call. */
  readonly source: Pick<Target, 'instance' | 'openScope' | 'injected' | 'around'>;
}

/** A bound service, with its operations and everything that must be built for it. */
export interface ServiceDrafts {
  readonly target: AnyClass;
  readonly drafts: readonly Draft<BoundOperation>[];
  readonly background: readonly BackgroundDraft[];
  readonly nodes: readonly Node[];
  readonly calls: CallCounter;
}

/** A method that a package runs, without its guards. */
export interface BackgroundDraft extends Pick<DraftedBackground, 'name' | 'data'> {
  readonly source: BackgroundPart;
  /** The name of its decorator, for messages. */
  readonly decorator: string;
  /**
   * The method in the form of a tool without arguments. No client can see or call it, and only the guards that mean
   * something without a caller stand around it.
   */
  readonly operation: ToolDraft;
  /** Whose method it is. Several services may need the class, and find the method. */
  readonly owner: object;
}

/** A decorated method, with the decorator of a package that runs it. */
export interface FoundMethod {
  /** The name for messages. */
  readonly label: string;
  readonly method: MethodRecords;
  readonly record: DecoratorRecord;
  /** The method as a tool, if it is one. */
  readonly tool: ToolDraft | undefined;
  readonly node: Node | undefined;
  readonly holder: Record<string, Target['method']>;
}

/** One server, as binding sees it. */
export interface BindingServer extends ServerHost {
  readonly manifests: Manifests;
  readonly container: Container;
  readonly kernel: Kernel;
  readonly finder: ClassFinder;
  readonly constructorTypes: ConstructorTypeLoader;
  readonly questions: QuestionRegistry;
  /** What packages have added. */
  readonly extensions: Extensions;
}

/** How a call gets the instance of a node. This is decided once, at boot. */
export function instanceSource(node: Node, kernel: Kernel): Target['instance'] {
  if (node.binding.scope === 'singleton') return () => kernel.get(node);
  return (scope: CallScope | undefined) => (scope as RequestScope).get(node);
}

/** Static methods are called on their class. */
export function staticSource(target: AnyClass): Target['instance'] {
  return () => target;
}

/** How a call gets the values that the container fills in. */
export function injectedValues(
  nodes: ReadonlyMap<number, Node | undefined>,
  kernel: Kernel,
): Target['injected'] {
  if (nodes.size === 0) return undefined;
  return [...nodes].map(([index, node]) => ({
    index,
    value: node ? instanceSource(node, kernel) : () => undefined,
  }));
}

/** Opens a scope for each call, if one of the nodes does not live as long as the server. */
export function scopeOpener(nodes: readonly (Node | undefined)[], kernel: Kernel): Target['openScope'] {
  if (nodes.every((node) => !node || node.binding.scope === 'singleton')) return undefined;
  return (call) => new RequestScope(kernel, call);
}

/** The instances that the application itself got from the container. */
export class ProvidedInstances {
  private readonly asked = new Map<Node, Promise<void>>();

  constructor(private readonly server: BindingServer) {}

  /** These nodes stay even if the services that used them are removed. */
  nodes(): Iterable<Node> {
    return this.asked.keys();
  }

  /**
   * @throws {ConfigurationError} if nothing provides it, it cannot be built, or its scope is one call or
   * session
   */
  async get(token: InjectionToken): Promise<unknown> {
    const { container, kernel, constructorTypes } = this.server;
    await constructorTypes.prepare(token);
    const node = container.link(token);
    if (!node) throw new ConfigurationError(container.takeProblems());
    const name = describeToken(token);
    if (node.binding.scope !== 'singleton')
      throw new ConfigurationError({
        code: 'TW_DEPENDENCY_CAPTIVE',
        message: `${name} lives for one call or one session, but server.get returns only what lives as long as the server.`,
        fix: `Give ${name} the scope 'singleton', or ask for it in a service of its own scope.`,
      });
    // Two requests at the same time must not build two instances.
    await getOrMake(this.asked, node, () => {
      const building = kernel.start([node]);
      building.catch(() => this.asked.delete(node));
      return building;
    });
    return kernel.get(node);
  }
}
