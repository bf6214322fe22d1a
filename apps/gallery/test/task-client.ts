type Result = Record<string, any>;

const PREFIX = 'io.modelcontextprotocol';

/**
 * What a client with the Tasks extension sends, on 2026-07-28. The official clients do not know tasks yet: they answer a
 * result of that type with an error.
 */
export class TaskClient {
  private ids = 0;

  constructor(private readonly url: URL) {}

  /** Begins a call; gives the task, or the result of a call that became none. */
  call(name: string, args: Record<string, unknown>): Promise<Result> {
    return this.request('tools/call', name, { name, arguments: args });
  }

  get(taskId: string): Promise<Result> {
    return this.request('tasks/get', taskId, { taskId });
  }

  cancel(taskId: string): Promise<Result> {
    return this.request('tasks/cancel', taskId, { taskId });
  }

  /** Asks again and again until the task is no longer being worked on. */
  async ended(taskId: string): Promise<Result> {
    for (;;) {
      const task = await this.get(taskId);
      if (task.status !== 'working') return task;
    }
  }

  private async request(method: string, named: string, params: Result): Promise<Result> {
    const _meta = {
      [`${PREFIX}/protocolVersion`]: '2026-07-28',
      [`${PREFIX}/clientCapabilities`]: { extensions: { [`${PREFIX}/tasks`]: {} } },
    };
    const response = await fetch(this.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        'mcp-name': named,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: ++this.ids, method, params: { ...params, _meta } }),
    });
    const { result, error } = (await response.json()) as { result?: Result; error?: { message: string } };
    if (!result) throw new Error(error?.message);
    return result;
  }
}
