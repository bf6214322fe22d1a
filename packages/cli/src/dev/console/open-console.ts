import { styleFor } from '../../terminal/style.js';
import type { Terminal } from '../../terminal/terminal.js';
import { ConsoleHost, type ConsoleHostOptions } from './console-host.js';

/**
 * Opens the console of `dev`, and prints its address.
 *
 * @returns undefined when there can be none: `dev` then works without it
 */
export async function openConsole(
  options: ConsoleHostOptions,
  terminal: Terminal,
): Promise<ConsoleHost | undefined> {
  const { dim, yellow } = styleFor(terminal);
  try {
    const host = new ConsoleHost(await import('@toolwright/console'), options);
    const address = await host.listen();
    if (options.port && Number(new URL(address).port) !== options.port)
      terminal.err(dim(`port ${options.port} is taken, so the console has another one`));
    // Hosts read the protocol on standard output, so this is never written there.
    terminal.err(`console: ${address}`);
    letAgentsIn(host, terminal);
    return host;
  } catch (error) {
    terminal.err(yellow(`There is no console: ${(error as Error).message}`));
    return undefined;
  }
}

/** Without agents, the console works all the same. */
function letAgentsIn(host: ConsoleHost, terminal: Terminal): void {
  try {
    host.letAgentsIn();
  } catch (error) {
    terminal.err(styleFor(terminal).yellow(`Agents cannot connect: ${(error as Error).message}`));
  }
}
