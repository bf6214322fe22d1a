import type { ProtocolHost } from '../requests/engine.js';

/** Says that a task has changed, to this process and to the others. A bus that fails is logged. */
export function announceChange({ bus, logger }: Pick<ProtocolHost, 'bus' | 'logger'>, taskId: string): void {
  void (async () => bus.publish({ type: 'taskChanged', taskId }))().catch((err: unknown) =>
    logger.error({ err, taskId }, 'A change could not be published'),
  );
}
