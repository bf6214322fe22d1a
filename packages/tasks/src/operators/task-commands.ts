import { userInfo } from 'node:os';
import type { TaskStatus } from '@toolwright/core/ports';
import type { KnownSchedule } from '../records/schedule-ticks.js';
import type { OperatedTask, TaskAction } from './operated-task.js';
import { TaskOperator } from './task-operator.js';

/** Where a command writes to. */
export interface TaskCommandConsole {
  out(text: string): void;
  err(text: string): void;
}

type Values = Readonly<Record<string, string | boolean | undefined>>;

/** One of the commands `toolwright tasks …`. */
export interface TaskCommand {
  readonly name: string;
  readonly description: string;
  /** It is about one task. */
  readonly takesId: boolean;
  readonly options: readonly { readonly flag: string; readonly description: string }[];
  /** @returns the exit code */
  run(id: string, values: Values, console: TaskCommandConsole): Promise<number>;
}

const DONE = 0;
const NOT_DONE = 1;

const database = [
  { flag: '--url <url>', description: 'the address of the database; default: DATABASE_URL' },
  { flag: '--schema <name>', description: 'the schema of the records; default: toolwright' },
];
const json = { flag: '--json', description: 'print JSON' };
const by = { flag: '--by <name>', description: 'who does it; default: your login name' };
const limit = { flag: '--limit <count>', description: 'at most so many; default: 50' };

type Act = (operator: TaskOperator, id: string, values: Values) => Promise<{ code: number; text: string }>;

function command(definition: Omit<TaskCommand, 'run'> & { act: Act }): TaskCommand {
  const { act, ...rest } = definition;
  return {
    ...rest,
    async run(id, values, console) {
      try {
        const operator = await open(values);
        const { code, text } = await act(operator, id, values).finally(() => operator.close());
        (code === DONE ? console.out : console.err)(`${text}\n`);
        return code;
      } catch (error) {
        console.err(`${(error as Error).message}\n`);
        return NOT_DONE;
      }
    },
  };
}

function open(values: Values): Promise<TaskOperator> {
  const url = (values['url'] as string | undefined) ?? process.env['DATABASE_URL'];
  const schema = values['schema'] as string | undefined;
  const name = (values['by'] as string | undefined) ?? userInfo().username;
  return TaskOperator.open({ ...(url && { url }), ...(schema && { schema }), by: name });
}

const done = (text: string) => ({ code: DONE, text });
const asJson = (value: unknown) => done(JSON.stringify(value, undefined, 2));
const limitOf = (values: Values) => (values['limit'] === undefined ? 50 : Number(values['limit']));

/** The commands for operators. The command line of `@toolwright/cli` adds them to its own. */
export const taskCommands: readonly TaskCommand[] = [
  command({
    name: 'list',
    description: 'list tasks, the latest first',
    takesId: false,
    options: [
      ...database,
      { flag: '--status <status>', description: 'working, input_required, completed, failed or cancelled' },
      { flag: '--tool <name>', description: 'only tasks of this tool' },
      { flag: '--owner <key>', description: 'only tasks of this owner' },
      { flag: '--dead', description: 'only tasks that an operator should look at' },
      limit,
      json,
    ],
    async act(operator, _id, values) {
      const tasks = await operator.list({
        status: values['status'] as TaskStatus | undefined,
        tool: values['tool'] as string | undefined,
        owner: values['owner'] as string | undefined,
        dead: values['dead'] === true,
        limit: limitOf(values),
      });
      if (values['json']) return asJson(tasks);
      return done(tasks.length > 0 ? tasks.map(lineOf).join('\n') : 'There are no such tasks.');
    },
  }),
  command({
    name: 'show',
    description: 'show what is known about one task',
    takesId: true,
    options: [...database],
    async act(operator, id) {
      const task = await operator.show(id);
      return task ? asJson(task) : { code: NOT_DONE, text: `There is no task ${id}.` };
    },
  }),
  command({
    name: 'cancel',
    description: 'cancel a task and stop its run',
    takesId: true,
    options: [...database, by],
    async act(operator, id) {
      if (await operator.cancel(id)) return done(`The task ${id} is cancelled.`);
      return { code: NOT_DONE, text: `There is no task ${id}, or it has ended.` };
    },
  }),
  command({
    name: 'retry',
    description: 'begin the work of an ended task again, as a new task',
    takesId: true,
    options: [...database, by],
    async act(operator, id) {
      const next = await operator.retry(id);
      if (next) return done(`The work goes on as the task ${next}.`);
      return { code: NOT_DONE, text: `There is no task ${id} that has ended and has work on the queue.` };
    },
  }),
  command({
    name: 'schedules',
    description: 'list the schedules that have been due, with their last runs',
    takesId: false,
    options: [...database, json],
    async act(operator, _id, values) {
      const schedules = await operator.schedules();
      if (values['json']) return asJson(schedules);
      return done(
        schedules.length > 0 ? schedules.map(scheduleLine).join('\n') : 'No schedule has been due.',
      );
    },
  }),
  command({
    name: 'actions',
    description: 'list what operators have done, the latest first',
    takesId: false,
    options: [...database, limit, json],
    async act(operator, _id, values) {
      const actions = await operator.actions(limitOf(values));
      if (values['json']) return asJson(actions);
      return done(actions.length > 0 ? actions.map(actionLine).join('\n') : 'Nobody has done anything.');
    },
  }),
];

function lineOf({
  id,
  status,
  isDead,
  tool,
  owner,
  attempt,
  createdAt,
  statusMessage,
}: OperatedTask): string {
  const state = isDead ? `${status}, look at it` : status;
  const cells = [id, state, tool ?? '-', `run ${attempt}`, isoTime(createdAt), owner || 'anonymous'];
  return [...cells, ...(statusMessage ? [messageOf(statusMessage)] : [])].join('  ');
}

/** The server seals what a task says, and this command has no secrets. The console of the server shows it. */
function messageOf(statusMessage: string): string {
  return statusMessage.startsWith('sealed:') ? 'sealed' : JSON.stringify(statusMessage);
}

/** A time of Postgres may be infinite. */
function isoTime(ms: number): string {
  return Number.isFinite(ms) ? new Date(ms).toISOString() : String(ms);
}

function scheduleLine({ schedule, tick, taskId, begun, overlapping }: KnownSchedule): string {
  const due = `due ${isoTime(tick)}`;
  return [schedule, due, taskId ?? '-', `${begun} begun`, `${overlapping} left out`].join('  ');
}

function actionLine({ at, by: who, action, taskId, newTaskId }: TaskAction): string {
  return [isoTime(at), who, action, taskId, ...(newTaskId ? [newTaskId] : [])].join('  ');
}
