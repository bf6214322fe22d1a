export { postgresTasks, type PostgresTasksOptions } from './postgres-tasks.js';
export { migrateTasks } from './migrate-tasks.js';
export type { TaskDatabaseOptions } from './task-database.js';
