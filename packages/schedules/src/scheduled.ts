import { type MethodOnlyDecorator, backgroundMethod } from '@toolwright/core/extend';
import { extension } from './extension.js';
import { type ScheduledOptions, scheduledOptions } from './schedule-options.js';

/**
 * Runs a method at the times of a cron expression: of five fields, or of six with seconds in front. The method may
 * declare a `ToolContext`. It also works on an `@McpTool` without required arguments. See docs/schedules.md.
 *
 * @example
 * @Scheduled('0 3 * * *', { timeZone: 'Europe/Vienna' })
 * async rebuildIndex(ctx: ToolContext): Promise<void> { … }
 */
export function Scheduled(cron: string, options: ScheduledOptions = {}): MethodOnlyDecorator {
  const written = { cron, ...options };
  return backgroundMethod(
    { name: 'Scheduled', options: written, rules: scheduledOptions, extension },
    Scheduled,
  );
}
