import { post, type Asking } from './wire.js';

const _meta = {
  'io.modelcontextprotocol/clientCapabilities': {
    elicitation: { form: {} },
    extensions: { 'io.modelcontextprotocol/tasks': {} },
  },
};

/** A task, as the server describes it. */
export interface Task {
  taskId: string;
  status: 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';
  statusMessage?: string;
  result?: { structuredContent?: unknown; content: { text?: string }[] };
  error?: { message: string };
  inputRequests?: Record<string, unknown>;
}

/** Calls a tool that becomes a task. Returns its id. @throws {Error} with the answer, when it becomes none */
export async function beginTask(
  url: string,
  name: string,
  args: Record<string, unknown>,
  asking?: Asking,
): Promise<string> {
  const { status, message } = await post(url, 'tools/call', { name, arguments: args, _meta }, asking);
  const id = (message?.result as Partial<Task> | undefined)?.taskId;
  if (id === undefined) throw new Error(`No task: ${status} ${JSON.stringify(message)}`);
  return id;
}

export async function getTask(url: string, taskId: string, asking?: Asking): Promise<Task> {
  return asked(url, 'tasks/get', { taskId }, asking);
}

export async function cancelTask(url: string, taskId: string, asking?: Asking): Promise<void> {
  await asked(url, 'tasks/cancel', { taskId }, asking);
}

export async function answerTask(
  url: string,
  taskId: string,
  inputResponses: object,
  asking?: Asking,
): Promise<void> {
  await asked(url, 'tasks/update', { taskId, inputResponses }, asking);
}

const LOOK_MS = 20;

/** Asks about a task until it has a status that `isThere` accepts. Default: one of the final ones. */
export async function taskWhen(
  url: string,
  taskId: string,
  asking?: Asking,
  isThere = ({ status }: Task) => status !== 'working' && status !== 'input_required',
): Promise<Task> {
  for (;;) {
    const task = await getTask(url, taskId, asking);
    if (isThere(task)) return task;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

async function asked(
  url: string,
  method: string,
  params: Record<string, unknown>,
  asking?: Asking,
): Promise<Task> {
  const { status, message } = await post(url, method, { ...params, _meta }, asking);
  if (!message?.result) throw new Error(`${method}: ${status} ${JSON.stringify(message)}`);
  return message.result as unknown as Task;
}
