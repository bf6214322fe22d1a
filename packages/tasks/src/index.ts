export { postgresTasks, type PostgresTasksOptions } from './postgres-tasks.js';
