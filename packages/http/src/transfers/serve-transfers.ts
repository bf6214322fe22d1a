import type { McpServer, ToolContext } from '@toolwright/core';
import { type Extension, type ExtensionParts, extend } from '@toolwright/core/extend';
import { parseOptions, requireServer, wrongOption } from '@toolwright/core/options';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { TransferHandler } from './transfer-handler.js';
import {
  type TransferDirection,
  type LinkOptions,
  type TransferLink,
  TransferLinks,
} from './transfer-links.js';
import { type TransferOptions, transferOptions } from './transfer-options.js';

declare module '@toolwright/core/extend' {
  interface ExtraContext {
    /** Makes links to files that are larger than a message (`serveTransfers`). */
    readonly transfers?: ToolTransfers;
  }
  interface BackgroundNouns {
    transfer: true;
  }
}

/** What tools see of transfers, as `ctx.transfers`. */
export interface ToolTransfers {
  /**
   * An address at which this caller can fetch a file.
   *
   * @param about says which file it is: JSON, which `send` gets. It is sealed in the address
   */
  download(about: unknown, options?: LinkOptions): TransferLink;
  /**
   * An address to which this caller can send a file with PUT, once.
   *
   * @param about says what the file is for: JSON, which `receive` gets. It is sealed in the address
   */
  upload(about: unknown, options?: LinkOptions): TransferLink;
}

/** The transfers of one server. */
export interface Transfers {
  /** Answers at the address of the option `url`: `app.use(transfers.handler)`. It leaves all other requests alone. */
  readonly handler: (req: IncomingMessage, res: ServerResponse, next?: (error?: unknown) => void) => void;
}

interface TransferParts extends ExtensionParts {
  readonly transfers: Transfers;
}

/**
 * Lets files that are larger than a message go by addresses of their own. Tools make the addresses with `ctx.transfers`.
 * Each is sealed, bound to its caller, and ends soon. Call it once for a server.
 *
 * @throws {ConfigurationError} naming the option that is wrong, and the second time
 * @example
 * const transfers = await serveTransfers(server, {
 *   url: 'https://docs.example.com/files',
 *   authenticate: oauth.authenticate,
 *   send: (about, caller) => ({ body: exportFor(caller, about), name: 'notes.csv', type: 'text/csv' }),
 * });
 * app.use(transfers.handler);
 */
export async function serveTransfers(server: McpServer, options: TransferOptions): Promise<Transfers> {
  requireServer('serveTransfers', server);
  const settings = parseOptions('serveTransfers', transferOptions, options);
  if (!settings.send && !settings.receive)
    throw wrongOption('serveTransfers needs "send" or "receive".', 'Say where files come from, or go.');
  const added: Extension<TransferParts> = {
    name: '@toolwright/http/transfers',
    hasSettings: true,
    start(host) {
      const links = new TransferLinks(host, settings.life);
      const handler = new TransferHandler(host, links, settings);
      const make = (
        { principal }: Pick<ToolContext, 'principal'>,
        direction: TransferDirection,
        { about, withoutToken = false }: LinkOptions & { about: unknown },
      ): TransferLink => {
        const needsToken = settings.authenticate !== undefined && !withoutToken;
        const { sealed, until } = links.make(direction, about, { principal, needsToken });
        const method = direction === 'download' ? 'GET' : 'PUT';
        return { uri: `${handler.base}/${sealed}`, method, expires: new Date(until) };
      };
      return {
        transfers: { handler: (req, res, next) => handler.handle(req, res, next) },
        context: {
          transfers: (call): ToolTransfers => {
            const makeOnce = (direction: TransferDirection, given: LinkOptions & { about: unknown }) => {
              call.keepNoResult();
              return make(call.context, direction, given);
            };
            return {
              download: (about, given) => makeOnce('download', { ...given, about }),
              upload: (about, given) => makeOnce('upload', { ...given, about }),
            };
          },
        },
      };
    },
  };
  return (await extend(server, added)).transfers;
}
