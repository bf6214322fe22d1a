import { McpServer, McpService, McpTool, RequireScopes } from '@toolwright/core';
import { type PluginChanges, PluginFolder } from './plugin-folder.js';

/** Lets an operator's client exchange plug-ins without a restart. */
@McpService()
export class PluginTools {
  constructor(
    private readonly plugins: PluginFolder,
    private readonly server: McpServer,
  ) {}

  /** Load the plug-ins anew that lie in the plug-in folder. Returns which were loaded, unloaded, or failed to load. */
  @McpTool({
    name: 'reload_plugins',
    annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: false },
  })
  @RequireScopes('plugins:reload')
  reloadPlugins(): Promise<PluginChanges> {
    return this.plugins.reload(this.server);
  }
}
