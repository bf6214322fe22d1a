import type { ToolDraft } from '../../call/operation/draft.js';
import { lazily } from '../../base/lazily.js';
import type { Logger } from '../../ports/logger.js';
import { appsAmong, isServed } from '../checks/find-unserved-apps.js';
import type { ServerRegistry } from './server-registry.js';

/**
 * Links tools to their apps only while these exist, because a host must not be sent to an app that was
 * removed.
 */
export class AppLinks {
  constructor(
    private readonly registry: ServerRegistry,
    private readonly logger: Logger,
  ) {}

  /**
   * Removes the link of tools whose app is missing, and restores it when the app is back.
   *
   * @returns whether clients will see changed tools
   */
  refresh(): boolean {
    const { tools } = this.registry;
    // Servers that add thousands of resources one by one usually have no apps, so the apps are only searched
    // if a tool has a link.
    const apps = lazily(() => appsAmong(this.registry.drafts()));
    let isChanged = false;
    // A draft always keeps its link. Only the published form may lack it.
    for (const draft of tools.drafts()) {
      const { name, ui } = draft;
      const wanted = ui?.resourceUri;
      if (wanted === undefined) continue;
      const isThere = isServed(wanted, apps());
      if (isThere === (tools.get(name)?.ui?.resourceUri !== undefined)) continue;
      if (!isThere)
        this.logger.warn({ tool: name, app: wanted }, 'The app that shows what a tool returns is gone');
      tools.set({ draft, operation: tools.plan(isThere ? draft : unlinked(draft)) });
      isChanged = true;
    }
    return isChanged;
  }
}

function unlinked(draft: ToolDraft): ToolDraft {
  const { ui = {}, ...rest } = draft;
  return ui.visibility ? { ...rest, ui: { visibility: ui.visibility } } : rest;
}
