/** The kinds of operations that a server can offer, and the collections of a server that hold them. */
export interface KindCollections {
  tool: 'tools';
  prompt: 'prompts';
  resource: 'resources';
  resourceTemplate: 'resourceTemplates';
}

export type OperationKind = keyof KindCollections;

/** A capability under which operations are listed. Kinds may share one. */
export type ListCapability = 'tools' | 'prompts' | 'resources';

/**
 * The facts that differ between the kinds of operations. It is data only; what a kind does is in its record in
 * `boot/kinds/`.
 */
interface KindFacts {
  /** The words for one of them, and for several. */
  readonly noun: string;
  readonly plural: string;
  /** The capability under which clients find them. */
  readonly capability: ListCapability;
  /**
   * True when the capability is declared even while the server has no operation of the kind: one may be added at run
   * time.
   */
  readonly isAlwaysOffered: boolean;
  /** The decorator, as messages call it. */
  readonly decorator: string;
  /** The option that is unique among them. */
  readonly address: 'name' | 'uri' | 'uriTemplate';
  /** The verb of the question before a call that a person has to confirm. */
  readonly verb: string;
  /** Prompts and URIs carry only text: values of other types are read from it. */
  readonly arguments: 'json' | 'text';
  /** True when the schemas are published, and a model reads them. Their contract can then be pinned. */
  readonly publishesSchemas: boolean;
  /** True when annotations tell what a call does. A kind without such hints only reads. */
  readonly hasHints: boolean;
  /** The member of a result that holds what was asked for. */
  readonly answer: 'content' | 'messages' | 'contents';
  /**
   * True when the text of a result is meant for models, and is cleaned. The contents of resources are never changed.
   */
  readonly isCleaned: boolean;
  /** How a failure is answered: as a result that a model can read, or as an error of the protocol. */
  readonly failure: 'result' | 'error';
  /** The attribute of telemetry that names one of them. */
  readonly attribute: string;
}

type FactsByKind = {
  readonly [K in OperationKind]: KindFacts & { readonly collection: KindCollections[K] };
};

/** The facts of each kind. */
export const operationKinds: FactsByKind = {
  tool: {
    noun: 'tool',
    plural: 'tools',
    collection: 'tools',
    capability: 'tools',
    isAlwaysOffered: true,
    decorator: '@McpTool',
    address: 'name',
    verb: 'Run',
    arguments: 'json',
    publishesSchemas: true,
    hasHints: true,
    answer: 'content',
    isCleaned: true,
    failure: 'result',
    attribute: 'gen_ai.tool.name',
  },
  prompt: {
    noun: 'prompt',
    plural: 'prompts',
    collection: 'prompts',
    capability: 'prompts',
    isAlwaysOffered: false,
    decorator: '@McpPrompt',
    address: 'name',
    verb: 'Use',
    arguments: 'text',
    publishesSchemas: false,
    hasHints: false,
    answer: 'messages',
    isCleaned: true,
    failure: 'error',
    attribute: 'gen_ai.prompt.name',
  },
  resource: {
    noun: 'resource',
    plural: 'resources',
    collection: 'resources',
    capability: 'resources',
    isAlwaysOffered: false,
    decorator: '@McpResource',
    address: 'uri',
    verb: 'Read',
    arguments: 'text',
    publishesSchemas: false,
    hasHints: false,
    answer: 'contents',
    isCleaned: false,
    failure: 'error',
    attribute: 'mcp.resource.uri',
  },
  resourceTemplate: {
    noun: 'resource template',
    plural: 'resource templates',
    collection: 'resourceTemplates',
    capability: 'resources',
    isAlwaysOffered: false,
    decorator: '@McpResourceTemplate',
    address: 'uriTemplate',
    verb: 'Read',
    arguments: 'text',
    publishesSchemas: false,
    hasHints: false,
    answer: 'contents',
    isCleaned: false,
    failure: 'error',
    attribute: 'mcp.resource.uri',
  },
};

export const kindNames = Object.keys(operationKinds) as readonly OperationKind[];

export const listCapabilities: readonly ListCapability[] = [
  ...new Set(kindNames.map((kind) => operationKinds[kind].capability)),
];

export function isOperationKind(name: string): name is OperationKind {
  return Object.hasOwn(operationKinds, name);
}

/** The facts of the kind of an operation. */
export function factsOf({ kind }: { readonly kind: OperationKind }): KindFacts {
  return operationKinds[kind];
}
