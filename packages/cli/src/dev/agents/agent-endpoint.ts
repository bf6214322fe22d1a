import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Hub } from '@toolwright/console';
import { AGENT_PROTOCOL, answerBridge } from './run-bridge.js';

/** More agents than a person has. */
const MAX_AGENTS = 8;

/**
 * The second endpoint of `dev`: the functions of the console as tools, for coding agents. Only bridges of the same user
 * get in.
 */
export class AgentEndpoint {
  readonly token = randomBytes(32).toString('base64url');
  readonly #sockets = new Set<Duplex>();

  /** @param mayAct whether agents may call as any caller, and answer questions in place of the person */
  constructor(
    private readonly hub: () => Hub,
    private readonly mayAct: boolean,
  ) {}

  /** Takes a connection that asked for another protocol. */
  take({ headers }: IncomingMessage, socket: Duplex, head: Buffer): void {
    const proof = headers.upgrade === AGENT_PROTOCOL ? answerBridge(headers, this.token) : undefined;
    if (!proof) return refuse(socket, '401 Unauthorized');
    if (this.#sockets.size >= MAX_AGENTS) return refuse(socket, '503 Service Unavailable');
    const lines = Object.entries({ Connection: 'Upgrade', Upgrade: AGENT_PROTOCOL, ...proof });
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n`,
    );
    if (head.length > 0) socket.unshift(head);
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    void this.#serve(socket).catch(() => socket.destroy());
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Core is loaded with the first agent. Each agent has a server of its own, which ends with its connection. */
  async #serve(socket: Duplex): Promise<void> {
    const { createAgentServer } = await import('./agent-server.js');
    const { serveStdio } = await import('@toolwright/stdio');
    const server = await createAgentServer(this.hub(), this.mayAct);
    const { closed } = await serveStdio(server, { input: socket, output: socket, exit: false });
    // The socket of an upgrade stays half open when the bridge has ended its side. Its place would stay taken.
    await closed;
    socket.end();
  }
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
