import type { Change, Params, RequestOptions, SessionOptions } from './session.js';

type Hear = (change: Change) => void;
type Token = string | number;

/** Passes each notification to the code that waits for it. */
export class Notifications {
  private readonly progress = new Map<Token, NonNullable<RequestOptions['onProgress']>>();
  private readonly listeners = new Set<Hear>();

  constructor(private readonly onLog: SessionOptions['onLog']) {}

  /** Passes the progress of one request to `report` while `run` works. */
  async during<T>(token: Token, report: RequestOptions['onProgress'], run: () => Promise<T>): Promise<T> {
    if (report) this.progress.set(token, report);
    try {
      return await run();
    } finally {
      this.progress.delete(token);
    }
  }

  /**
   * Passes all notifications except progress and log messages to `hear`. Returns the function that stops
   * this.
   */
  listen(hear: Hear): () => void {
    this.listeners.add(hear);
    return () => void this.listeners.delete(hear);
  }

  deliver(method: string, params: Params): void {
    if (method === 'notifications/progress') {
      const { progressToken, ...progress } = params as { progressToken: Token; progress: number };
      this.progress.get(progressToken)?.(progress);
    } else if (method === 'notifications/message') {
      this.onLog?.(params as Parameters<NonNullable<SessionOptions['onLog']>>[0]);
    } else {
      for (const hear of this.listeners) hear({ method, params });
    }
  }
}
