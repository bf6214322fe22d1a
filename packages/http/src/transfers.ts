// Files that are larger than a message go by addresses of their own. See docs/recipes/uploads.md.
export { serveTransfers, type Transfers } from './transfers/serve-transfers.js';
export type { Download, Received, TransferOptions } from './transfers/transfer-options.js';
export type { LinkOptions, TransferLink } from './transfers/transfer-links.js';
