import { PipelinedConnection, type Answer } from './pipelined-connection.js';

export interface Flood {
  port: number;
  total: number;
  bytes(index: number): string;
  /** An answer, or undefined when the connection was closed first. */
  take(answer: Answer | undefined, index: number): void;
}

const CONNECTIONS = 16;
const IN_FLIGHT = 16;

/** Sends so many requests as fast as they are answered. */
export async function keepBusy({ port, total, bytes, take }: Flood): Promise<void> {
  let next = 0;
  const lane = async () => {
    let connection = await PipelinedConnection.open(port);
    while (next < total) {
      if (!connection.open) connection = await PipelinedConnection.open(port);
      const count = Math.min(IN_FLIGHT, total - next);
      const first = next;
      next += count;
      const sent = Array.from({ length: count }, (_, offset) =>
        connection.send(bytes(first + offset)).then(
          (answer) => take(answer, first + offset),
          () => take(undefined, first + offset),
        ),
      );
      await Promise.all(sent);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
}
