import { McpService, McpTool, Inject } from '@toolwright/core';
import { Changes } from '../changes.js';

/** Tools that change what the server offers. */
@McpService()
export class ChangeTools {
  constructor(@Inject(Changes) private readonly changes: Changes) {}

  /** Tells those who listen that the list of tools has changed. */
  @McpTool({ name: 'test_trigger_tool_change', annotations: { readOnlyHint: false, destructiveHint: false } })
  triggerToolChange(): string {
    this.changes.announce('toolsListChanged');
    return 'Announced.';
  }

  /** Tells those who listen that the list of prompts has changed. */
  @McpTool({
    name: 'test_trigger_prompt_change',
    annotations: { readOnlyHint: false, destructiveHint: false },
  })
  triggerPromptChange(): string {
    this.changes.announce('promptsListChanged');
    return 'Announced.';
  }
}
