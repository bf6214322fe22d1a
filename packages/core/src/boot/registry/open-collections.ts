import type {
  BoundOperation,
  BoundPrompt,
  BoundResource,
  BoundResourceTemplate,
  BoundTool,
} from '../../call/operation/operation.js';
import type { AnyDraft, ToolDraft } from '../../call/operation/draft.js';
import type { EventBus, ServerEvent } from '../../ports/event-bus.js';
import type { Logger } from '../../ports/logger.js';
import { findGroupConflicts } from '../checks/find-group-conflicts.js';
import { findUnservedApps } from '../checks/find-unserved-apps.js';
import type { SecurityPosture } from '../checks/security-posture.js';
import {
  definePrompt,
  defineResource,
  defineResourceTemplate,
  defineTool,
  impliedByResource,
} from '../drafts/draft-definition.js';
import {
  promptDefinitionOptions,
  resourceDefinitionOptions,
  resourceTemplateDefinitionOptions,
  toolDefinitionOptions,
  type PromptDefinition,
  type ResourceDefinition,
  type ResourceTemplateDefinition,
  type ToolDefinition,
} from '../drafts/operation-definitions.js';
import type { AppLinks } from './app-links.js';
import { OperationCollection, publisher } from './operation-collection.js';
import type { ServerRegistry } from './server-registry.js';

/** Functions that tell clients that the list of a kind has changed. */
export type ChangeListeners = Readonly<Record<BoundOperation['kind'], () => void>>;

type ListChange = Extract<ServerEvent['type'], `${string}ListChanged`>;

/** How clients are told about changes. If an app changes, tools that link to it change, too. */
export function changeListeners(
  { bus, logger }: { bus: EventBus; logger: Logger },
  links: AppLinks,
): ChangeListeners {
  const publish = (type: ListChange) =>
    publisher(bus, { type }, (err) => logger.error({ err, type }, 'A change could not be published'));
  const tool = publish('toolsListChanged');
  const resources = publish('resourcesListChanged');
  const resource = () => {
    resources();
    if (links.refresh()) tool();
  };
  return { tool, prompt: publish('promptsListChanged'), resource, resourceTemplate: resource };
}

/** The operations of a running server, by kind. */
export interface Collections {
  readonly tools: OperationCollection<BoundTool, ToolDefinition>;
  readonly prompts: OperationCollection<BoundPrompt, PromptDefinition>;
  readonly resources: OperationCollection<BoundResource, ResourceDefinition>;
  readonly resourceTemplates: OperationCollection<BoundResourceTemplate, ResourceTemplateDefinition>;
}

export function openCollections(
  registry: ServerRegistry,
  posture: SecurityPosture,
  changed: ChangeListeners,
): Collections {
  const check = (draft: AnyDraft) => [
    ...posture.findProblems(draft),
    ...findGroupConflicts([draft], registry.drafts()),
  ];
  const checkTool = (draft: ToolDraft) => [...findUnservedApps([draft], registry.drafts()), ...check(draft)];
  return {
    tools: new OperationCollection(
      registry.tools,
      { options: { owner: 'tools.add', schema: toolDefinitionOptions }, draft: defineTool, check: checkTool },
      changed.tool,
    ),
    prompts: new OperationCollection(
      registry.prompts,
      { options: { owner: 'prompts.add', schema: promptDefinitionOptions }, draft: definePrompt, check },
      changed.prompt,
    ),
    resources: new OperationCollection(
      registry.resources,
      {
        options: { owner: 'resources.add', schema: resourceDefinitionOptions },
        draft: defineResource,
        check,
        implied: impliedByResource,
      },
      changed.resource,
    ),
    resourceTemplates: new OperationCollection(
      registry.resourceTemplates,
      {
        options: { owner: 'resourceTemplates.add', schema: resourceTemplateDefinitionOptions },
        draft: defineResourceTemplate,
        check,
      },
      changed.resourceTemplate,
    ),
  };
}
