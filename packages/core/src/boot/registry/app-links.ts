import type { ToolDraft } from '../../call/operation/draft.js';
import { lazily } from '../../base/lazily.js';
import type { Logger } from '../../ports/logger.js';
import { appsAmong, isServed } from '../checks/find-unserved-apps.js';
import type { ServerRegistry } from './server-registry.js';

/** Keeps tools linked to the apps that are there: pages come and go, and a host must not be led to one that is gone. */
export class AppLinks {
  constructor(
    private readonly registry: ServerRegistry,
    private readonly logger: Logger,
  ) {}

  /**
   * Takes the link from tools whose app is gone, and gives it back once the app is there again.
   *
   * @returns whether clients will see other tools than before
   */
  refresh(): boolean {
    const { tools } = this.registry;
    // Servers with thousands of resources, added one by one, mostly have no apps.
    const apps = lazily(() => appsAmong(this.registry.drafts()));
    let isChanged = false;
    // Drafts have their links always; what is published of them may lack it.
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
