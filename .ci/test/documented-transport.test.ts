import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { ModuleKind, ScriptTarget, transpileModule } from 'typescript';
import type { McpServer } from '../../packages/core/src/index.js';
import { describeTransport } from '../../packages/testing/src/index.js';
import { readSnippets } from './snippet.js';

interface Documented {
  servePort(server: McpServer, port: MessagePort): { close(): Promise<void> };
}

/** Runs the first block of the page, as a reader who copies it would. */
function loadDocumented(): Documented {
  const page = 'docs/transports.md';
  const [snippet] = readSnippets(page, readFileSync(join(__dirname, '../..', page), 'utf8'));
  const compilerOptions = { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022 };
  const { outputText } = transpileModule(snippet!.lines.join('\n'), { compilerOptions });
  const exports = {};
  new Function('exports', 'require', outputText)(exports, require);
  return exports as Documented;
}

const { servePort } = loadDocumented();

describeTransport('the transport of docs/transports.md', (server) => {
  const { port1, port2 } = new MessageChannel();
  const service = servePort(server, port1);
  return {
    peer: { principal: undefined, ip: undefined, transport: 'memory' },
    connect(receive) {
      port2.on('message', receive);
      return { send: (text) => port2.postMessage(text), leave: () => port2.close() };
    },
    close: () => service.close(),
  };
});
