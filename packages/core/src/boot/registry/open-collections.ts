import type { ConfigurationProblem } from '@toolwright/ground/base/errors/configuration-error';
import {
  type ListCapability,
  type OperationKind,
  kindNames,
  listCapabilities,
  operationKinds,
} from '@toolwright/ground/base/operation-kinds';
import type { AnyDraft, Draft, ToolDraft } from '@toolwright/ground/call/operation/draft';
import type { BoundOperation } from '@toolwright/ground/call/operation/operation';
import type { EventBus } from '@toolwright/ground/ports/event-bus';
import type { Logger } from '@toolwright/ground/ports/logger';
import { extraOf, withAddedRules, type AddedRules } from '../extensions/load-packages.js';
import { lazily } from '@toolwright/json';
import { appsAmong, findGroupConflicts, findUnservedApps, isServed } from '../checks/compare-operations.js';
import type { SecurityPosture } from '../checks/security-posture.js';
import { findMisplacedOn } from '../checks/check-service.js';
import { type CollectionOf, checkOperation, kindRecordOf } from './kinds.js';
import { OperationCollection, publisher } from './operation-collection.js';
import type { OperationCatalogue } from './operation-catalogue.js';
import type { ServerRegistry } from './server-registry.js';

/** Functions that tell clients that the list of a kind has changed. */
export type ChangeListeners = Readonly<Record<BoundOperation['kind'], (drafts: readonly AnyDraft[]) => void>>;

/**
 * Sends notifications of changes. If an app changes, the tools that link to it change, too. A listener gets the
 * drafts that came, went or changed; if the list is empty, each of its kind may have changed.
 */
export function changeListeners(
  { bus, logger }: { bus: EventBus; logger: Logger },
  refreshLinks: () => boolean,
): ChangeListeners {
  const publish = (capability: ListCapability) => {
    const type = `${capability}ListChanged` as const;
    return publisher(bus, { type }, (err) => logger.error({ err, type }, 'A change could not be published'));
  };
  // Kinds that share a capability share the listener: a change of both is one notification.
  const byCapability = new Map<ListCapability, (drafts: readonly AnyDraft[]) => void>(
    listCapabilities.map((capability) => [capability, publish(capability)]),
  );
  const resources = byCapability.get('resources')!;
  byCapability.set('resources', (drafts) => {
    resources(drafts);
    // The links of all tools are looked at only for an app: another resource costs the same beside thousands of tools.
    const mayMoveLinks = drafts.length === 0 || appsAmong(drafts).length > 0;
    if (mayMoveLinks && refreshLinks()) byCapability.get('tools')!([]);
  });
  const listeners = kindNames.map((kind) => [kind, byCapability.get(operationKinds[kind].capability)!]);
  return Object.fromEntries(listeners) as ChangeListeners;
}

/** The kinds that an app can have. */
const readables = ['resource', 'resourceTemplate'] as const;

interface CollectedServer {
  readonly registry: ServerRegistry;
  readonly posture: SecurityPosture;
  readonly extensions: AddedRules;
}

/** Makes the collection of a kind. Its operations are checked as those of decorated classes are. */
export function collectionOpener(
  { registry, posture, extensions }: CollectedServer,
  changed: ChangeListeners,
): <K extends OperationKind>(kind: K) => CollectionOf<K> {
  const check = (draft: AnyDraft): ConfigurationProblem[] => [
    ...checkOperation(draft),
    ...findMisplacedOn(draft),
    ...findUnservedApps([draft], () => readables.flatMap((kind) => registry.of(kind).drafts())),
    ...posture.findProblems(draft),
    ...findGroupConflicts([draft], () => registry.drafts()),
  ];
  return <K extends OperationKind>(kind: K) => {
    const { definitionOptions, define, implied } = kindRecordOf(kind);
    const isTool = kind === 'tool';
    const options = {
      owner: `${operationKinds[kind].collection}.add`,
      // Packages may add rules while the server runs.
      get schema() {
        return isTool ? withAddedRules(definitionOptions, extensions) : definitionOptions;
      },
    };
    const draft = (definition: never) => {
      const drafted = define(definition);
      const { extra: known } = definition as { extra?: Readonly<Record<string, unknown>> };
      const extra = isTool && extraOf(definition as object, extensions.toolRules, known);
      return extra ? { ...drafted, extra } : drafted;
    };
    const collection = new OperationCollection<BoundOperation, never>(
      registry.of(kind) as unknown as OperationCatalogue<BoundOperation>,
      { options, draft, implied, check: (draft) => check(draft as AnyDraft) },
      changed[kind] as (drafts: readonly Draft<BoundOperation>[]) => void,
    );
    return collection as unknown as CollectionOf<K>;
  };
}

/**
 * Removes the link of tools whose app is missing, and restores it when the app is back. A host must not be sent to an app
 * that was removed.
 *
 * @returns whether clients will see changed tools
 */
export function refreshAppLinks({ registry, logger }: { registry: ServerRegistry; logger: Logger }): boolean {
  const { tools } = registry;
  // Servers that add thousands of resources one by one usually have no apps, so the apps are only searched
  // if a tool has a link.
  const apps = lazily(() => appsAmong(registry.drafts()));
  let isChanged = false;
  // A draft always keeps its link. Only the published form may lack it.
  for (const draft of tools.drafts()) {
    const { name, ui } = draft;
    const wanted = ui?.resourceUri;
    if (wanted === undefined) continue;
    const isThere = isServed(wanted, apps());
    if (isThere === (tools.operationOf(draft)?.ui?.resourceUri !== undefined)) continue;
    if (!isThere) logger.warn({ tool: name, app: wanted }, 'The app that shows what a tool returns is gone');
    tools.set({ draft, operation: tools.plan(isThere ? draft : unlinked(draft)) });
    isChanged = true;
  }
  return isChanged;
}

function unlinked(draft: ToolDraft): ToolDraft {
  const { ui = {}, ...rest } = draft;
  return ui.visibility ? { ...rest, ui: { visibility: ui.visibility } } : rest;
}
