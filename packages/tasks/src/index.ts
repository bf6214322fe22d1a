export { postgresTasks, type PostgresTasksOptions } from './postgres-tasks.js';
export { migrateTasks } from './migrate-tasks.js';
export type { TaskDatabaseOptions } from './task-database.js';
export { TaskOperator, type TaskOperatorOptions } from './operators/task-operator.js';
export type { KnownSchedule } from './records/schedule-ticks.js';
export type { OperatedTask, TaskAction } from './operators/operated-task.js';
export type { TaskFilter } from './operators/operator-records.js';
export { subjectSource } from './operators/subject-tasks.js';
export { taskCommands, type TaskCommand, type TaskCommandConsole } from './operators/task-commands.js';
