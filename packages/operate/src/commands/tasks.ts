import { packageCommands } from './package-commands.js';

/** The package of the app knows its tables. */
export const addTasks = packageCommands({
  name: 'tasks',
  description: 'list, show, cancel and retry the durable tasks of an app',
  usage: '<list|show|cancel|retry|schedules|actions> [id] [options]',
  package: '@toolwright/tasks',
  entry: '@toolwright/tasks',
  member: 'taskCommands',
});
