import { ToolError } from '../../base/errors/errors.js';

export function tooManyTasks(): ToolError {
  return new ToolError('There are too many tasks. Wait until some have expired.', { code: 'TW_TASKS_FULL' });
}
