import type { CommandValues, PackageCommand, TableCell } from '@toolwright/json';
import { systemUser } from '@toolwright/core/operate';
import type { TaskStatus } from '@toolwright/core/ports';
import type { KnownSchedule } from '../records/schedule-ticks.js';
import type { OperatedTask, TaskAction } from './operated-task.js';
import { TaskOperator } from './task-operator.js';

/** Where a command writes to. */
export interface TaskCommandConsole {
  out(text: string): void;
  err(text: string): void;
  /** Writes rows in columns, as wide as the screen allows. Without it, each row is one line. */
  table?(rows: readonly (readonly TableCell[])[]): void;
}

/** One of the commands `toolwright tasks …`. */
export type TaskCommand = PackageCommand<TaskCommandConsole>;

const DONE = 0;
const NOT_DONE = 1;

const database = [
  { flag: '--url <url>', description: 'the address of the database; default: DATABASE_URL' },
  { flag: '--schema <name>', description: 'the schema of the records; default: toolwright' },
];
const taskId = { name: 'id', description: 'the task' };
const json = { flag: '--json', description: 'print JSON' };
const by = { flag: '--by <name>', description: 'who does it; default: your login name' };
const limit = { flag: '--limit <count>', description: 'at most so many; default: 50' };

interface Answer {
  readonly code: number;
  readonly text?: string;
  readonly rows?: readonly (readonly TableCell[])[];
}

type Act = (operator: TaskOperator, id: string, values: CommandValues) => Promise<Answer>;

function command(definition: Omit<TaskCommand, 'run'> & { act: Act }): TaskCommand {
  const { act, ...rest } = definition;
  return {
    ...rest,
    async run(id, values: CommandValues, console) {
      try {
        const operator = await open(values);
        try {
          const answer = await act(operator, id, values);
          write(answer, console);
          return answer.code;
        } finally {
          await operator.close();
        }
      } catch (error) {
        console.err(`${(error as Error).message}\n`);
        return NOT_DONE;
      }
    },
  };
}

function write({ code, text, rows = [] }: Answer, console: TaskCommandConsole): void {
  if (text !== undefined) (code === DONE ? console.out : console.err)(`${text}\n`);
  else if (console.table) console.table(rows);
  else for (const row of rows) console.out(`${row.map((cell) => cell.text).join('  ')}\n`);
}

function open(values: CommandValues): Promise<TaskOperator> {
  const url = (values['url'] as string | undefined) ?? process.env['DATABASE_URL'];
  const schema = values['schema'] as string | undefined;
  const name = (values['by'] as string | undefined) ?? systemUser();
  return TaskOperator.open({ ...(url && { url }), ...(schema && { schema }), by: name });
}

const done = (text: string) => ({ code: DONE, text });
const table = (rows: readonly (readonly TableCell[])[], none: string): Answer =>
  rows.length > 0 ? { code: DONE, rows } : done(none);
const asJson = (value: unknown) => done(JSON.stringify(value, undefined, 2));
const limitOf = (values: CommandValues) => (values['limit'] === undefined ? 50 : Number(values['limit']));

/** The commands for operators. The command line of `@toolwright/cli` adds them to its own. */
export const taskCommands: readonly TaskCommand[] = [
  command({
    words: ['list'],
    description: 'list tasks, the latest first',
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
      return table(tasks.map(rowOf), 'There are no such tasks.');
    },
  }),
  command({
    words: ['show'],
    description: 'show what is known about one task',
    argument: taskId,
    options: [...database],
    async act(operator, id) {
      const task = await operator.show(id);
      return task ? asJson(task) : { code: NOT_DONE, text: `There is no task ${id}.` };
    },
  }),
  command({
    words: ['cancel'],
    description: 'cancel a task and stop its run',
    argument: taskId,
    options: [...database, by],
    async act(operator, id) {
      if (await operator.cancel(id)) return done(`The task ${id} is cancelled.`);
      return { code: NOT_DONE, text: `There is no task ${id}, or it has ended.` };
    },
  }),
  command({
    words: ['retry'],
    description: 'begin the work of an ended task again, as a new task',
    argument: taskId,
    options: [...database, by],
    async act(operator, id) {
      const next = await operator.retry(id);
      if (next) return done(`The work goes on as the task ${next}.`);
      return { code: NOT_DONE, text: `There is no task ${id} that has ended and has work on the queue.` };
    },
  }),
  command({
    words: ['schedules'],
    description: 'list the schedules that have been due, with their last runs',
    options: [...database, json],
    async act(operator, _id, values) {
      const schedules = await operator.schedules();
      if (values['json']) return asJson(schedules);
      return table(schedules.map(scheduleRow), 'No schedule has been due.');
    },
  }),
  command({
    words: ['actions'],
    description: 'list what operators have done, the latest first',
    options: [...database, limit, json],
    async act(operator, _id, values) {
      const actions = await operator.actions(limitOf(values));
      if (values['json']) return asJson(actions);
      return table(actions.map(actionRow), 'Nobody has done anything.');
    },
  }),
];

const cell = (text: string): TableCell => ({ text });
const minor = (text: string): TableCell => ({ text, tone: 'minor' });

function rowOf({
  id,
  status,
  isDead,
  tool,
  owner,
  attempt,
  createdAt,
  statusMessage,
}: OperatedTask): TableCell[] {
  const state: TableCell = isDead ? { text: `${status}, look at it`, tone: 'bad' } : cell(status);
  return [
    cell(id),
    state,
    cell(tool ?? '-'),
    cell(`run ${attempt}`),
    minor(isoTime(createdAt)),
    cell(owner || 'anonymous'),
    ...(statusMessage ? [cell(messageOf(statusMessage))] : []),
  ];
}

/** The server seals what a task says, and this command has no secrets. The console of the server shows it. */
function messageOf(statusMessage: string): string {
  return statusMessage.startsWith('sealed:') ? 'sealed' : JSON.stringify(statusMessage);
}

/** A time of Postgres may be infinite. */
function isoTime(ms: number): string {
  return Number.isFinite(ms) ? new Date(ms).toISOString() : String(ms);
}

function scheduleRow({ schedule, tick, taskId, begun, overlapping }: KnownSchedule): TableCell[] {
  return [
    cell(schedule),
    cell(`due ${isoTime(tick)}`),
    cell(taskId ?? '-'),
    cell(`${begun} begun`),
    cell(`${overlapping} left out`),
  ];
}

function actionRow({ at, by: who, action, taskId, newTaskId }: TaskAction): TableCell[] {
  return [minor(isoTime(at)), cell(who), cell(action), cell(taskId), ...(newTaskId ? [cell(newTaskId)] : [])];
}
