import { isLoopbackAddress, LOOPBACK_HOSTS, present, readText } from '@toolwright/json';
import { createMcpServer, type McpServer } from '@toolwright/core';
import { type OptionSchema, optionRules, parseOptions } from '@toolwright/core/options';
import { dirname, relative, resolve } from 'node:path';
import { type MountedServer, mountServer } from '../mount-server.js';
import { type GatewayFile, GatewayReader } from './gateway-file.js';

/** The part `gateway` of a file: what the gateway itself does. */
export interface GatewayOptions {
  /** Its name, as clients see it. Default `gateway`. */
  name?: string;
  version?: string;
  instructions?: string;
  /** The file that keeps what was accepted of the servers. Default `mcp.lock.json` beside the configuration. */
  lock?: string | false;
  /** The audit log. Default `mcp.audit.jsonl` beside the configuration. */
  audit?: string | false;
  port?: number;
  /** The address to listen on. Any other than loopback needs `signIn` and `allowedHosts`. */
  host?: string;
  allowedHosts?: readonly string[];
  /** Whose access tokens are accepted: options of `oauthResourceServer`. Default: everybody on this machine may call. */
  signIn?: Readonly<Record<string, unknown>>;
  rateLimit?: unknown;
  confirmDestructive?: boolean;
  toolSearch?: unknown;
}

const { anyObject, anything, either, filledText, flag, listOf, no, port, text } = optionRules;

const gatewayOptions = {
  name: { ...filledText, default: 'gateway' },
  version: { ...filledText, default: '1.0.0' },
  instructions: text,
  lock: either(filledText, no),
  audit: either(filledText, no),
  port,
  host: filledText,
  allowedHosts: listOf('a list of hosts', filledText),
  signIn: anyObject,
  rateLimit: anything,
  confirmDestructive: flag,
  toolSearch: anything,
} satisfies OptionSchema<GatewayOptions>;

/** A configuration file with problems. Its message has a line for each, as `file:line:column: message`. */
export class GatewayFileError extends Error {
  override readonly name = 'GatewayFileError';

  constructor(readonly lines: readonly string[]) {
    super(lines.join('\n'));
  }
}

/** What a configuration file says, checked. */
export interface Gateway {
  readonly options: GatewayOptions & { readonly name: string; readonly version: string };
  /** Absolute paths. */
  readonly lock: string | undefined;
  readonly audit: string | undefined;
  /**
   * Makes its server, and mounts all servers at once.
   *
   * @param options further options of the server
   * @throws {GatewayFileError} when names collide, or a required server is away
   */
  open(options?: object): Promise<{ server: McpServer; mounts: readonly MountedServer[] }>;
  /**
   * Makes something of a part of the file.
   *
   * @throws {GatewayFileError} with the line of what is wrong in this part
   */
  use<Made>(part: 'signIn', make: (value: never) => Made): Made;
}

/**
 * Reads a configuration file.
 *
 * @throws {GatewayFileError} with all that is wrong, or when there is no such file
 */
export function readGateway(named: string, cwd: string, env = process.env): Gateway {
  const file = resolve(cwd, named);
  const shown = relative(cwd, file) || named;
  let source: string;
  try {
    source = readText(file);
  } catch (error) {
    const why = (error as { code?: string }).code === 'ENOENT' ? 'is not there' : 'cannot be read';
    throw new GatewayFileError([`${shown} ${why}.`]);
  }
  const reader = new GatewayReader(source, env);
  const filed = reader.read();
  const options = checked(reader, filed);
  const fail = () => {
    if (reader.findings.length > 0) throw new GatewayFileError(reader.lines(shown));
  };
  fail();
  const beside = (path: string | false | undefined, otherwise: string) =>
    path === false ? undefined : resolve(dirname(file), path ?? otherwise);
  const lock = beside(options.lock, 'mcp.lock.json');
  return {
    options,
    lock,
    audit: beside(options.audit, 'mcp.audit.jsonl'),
    use(part, make) {
      try {
        return make(options[part] as never);
      } catch (error) {
        reader.report(['gateway', part], error);
        fail();
        throw error;
      }
    },
    async open(more = {}) {
      const server = await createServer(options, more).catch((error: unknown) => {
        reader.report(['gateway'], error);
        fail();
        throw error;
      });
      const mounted = await Promise.allSettled(
        filed.mounts.map((each) =>
          mountServer(server, each.name, { ...(lock !== undefined && { lock }), ...each.options }),
        ),
      );
      mounted.forEach((each, index) => {
        if (each.status === 'rejected') reader.report(['mcpServers', filed.mounts[index]!.name], each.reason);
      });
      if (reader.findings.length > 0) await server.close(0);
      fail();
      return {
        server,
        mounts: mounted.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])),
      };
    },
  };
}

function checked(reader: GatewayReader, { gateway }: GatewayFile): Gateway['options'] {
  try {
    const options = parseOptions('gateway', gatewayOptions, gateway as GatewayOptions) as Gateway['options'];
    const { host, signIn } = options;
    const isLocal = host === undefined || LOOPBACK_HOSTS.has(host) || isLoopbackAddress(host);
    if (!isLocal && !signIn)
      reader.report(
        ['gateway'],
        new Error('"host" lets others in, so the gateway needs "signIn": whose tokens it accepts.'),
      );
    return options;
  } catch (error) {
    reader.report(['gateway'], error);
    return { name: '', version: '' };
  }
}

function createServer(
  { name, version, instructions, rateLimit, confirmDestructive, toolSearch }: Gateway['options'],
  more: object,
): Promise<McpServer> {
  const given = { instructions, rateLimit, confirmDestructive, toolSearch };
  return createMcpServer({ name, version, services: [], ...(present(given) as object), ...more });
}
