import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMcpServer, type McpServer } from '@toolwright/core';
import { serveHttp, type HttpService } from '@toolwright/http';
import { keys, PseudoTerminal, terminalTest } from './support/pseudo-terminal.js';

const command = join(__dirname, '../../../packages/cli/bin/toolwright.js');
let service: HttpService;
/** What the tool was told by whoever sits at the terminal. */
let heard: unknown[];

beforeAll(async () => {
  const server = await createMcpServer({ name: 'shop', version: '1', services: [] });
  addOrder(server);
  service = await serveHttp(server, { port: 0, signals: false });
});

beforeEach(() => (heard = []));
afterAll(() => service.close());

/** A tool that says how far it is, asks a form of questions, and gives a list. */
function addOrder(server: McpServer): void {
  server.tools.add({
    name: 'order_tea',
    description: 'Order tea.',
    outputSchema: { type: 'object' },
    handler: async (_args, context) => {
      context.progress(1, 4, 'heating water');
      const answer = await context.elicit('cup', {
        message: 'What tea? \u001b]0;owned\u0007',
        schema: {
          type: 'object',
          properties: {
            kind: { type: 'string', enum: ['green', 'black'] },
            cups: { type: 'integer', default: 2 },
            sugar: { type: 'boolean' },
          },
          required: ['kind'],
        },
      });
      heard.push(answer);
      context.progress(4, 4, 'done');
      return { action: answer.action, cups: [{ tea: 'green', sugar: false }, { tea: 'black' }] };
    },
  });
}

const start = (...words: string[]) =>
  PseudoTerminal.start([process.execPath, command, 'call', '--url', service.url, ...words, 'order_tea'], {
    cwd: tmpdir(),
    env: { PATH: process.env['PATH']! },
  });

terminalTest('questions are put to the person field by field, and the result is a table', async () => {
  const terminal = start();
  await terminal.see('25 % heating water');
  // What would have named the window is shown and not obeyed.
  await terminal.see('What tea? \\u{1b}]0;owned\\u{7}');
  await terminal.see('kind (green/black): ');
  terminal.type(`green${keys.enter}`);
  await terminal.see('cups (default 2): ');
  terminal.type(keys.enter);
  await terminal.see('sugar (y/n): ');
  terminal.type(`n${keys.enter}`);
  expect(await terminal.exit()).toBe(0);
  expect(heard).toEqual([{ action: 'accept', content: { kind: 'green', cups: 2, sugar: false } }]);
  expect(terminal.screen).toMatch(
    /action {2}accept\r\n\r\ncups\r\ntea {4}sugar\r\ngreen {2}false\r\nblack\r\n$/,
  );
  expect(terminal.raw).toContain('\u001b[1mtea');
});

terminalTest('NO_COLOR leaves the table plain', async () => {
  const terminal = PseudoTerminal.start([process.execPath, command, 'list', '--url', service.url], {
    cwd: tmpdir(),
    env: { PATH: process.env['PATH']!, NO_COLOR: '1' },
  });
  expect(await terminal.exit()).toBe(0);
  expect(terminal.raw).toBe('order_tea\r\n  Order tea.\r\n');
});

terminalTest('an empty answer to what is needed cancels, and the tool hears of it', async () => {
  const terminal = start('--json');
  await terminal.see('kind (green/black): ');
  terminal.type(keys.enter);
  expect(await terminal.exit()).toBe(0);
  expect(heard).toEqual([expect.objectContaining({ action: 'cancel' })]);
  expect(terminal.screen).toContain('"action": "cancel"');
});

terminalTest('whoever presses Ctrl+C at a question ends the call', async () => {
  const terminal = start();
  await terminal.see('kind (green/black): ');
  terminal.type(keys.interrupt);
  expect(await terminal.exit()).toBe(1);
  expect(terminal.screen).toMatch(/: \r\n\s*error: The question was not answered\.\r\n$/);
  expect(heard).toEqual([]);
});
