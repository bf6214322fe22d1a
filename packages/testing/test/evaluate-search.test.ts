import { createMcpServer, type McpServer } from '@toolwright/core';
import { join } from 'node:path';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { connect, evaluate, type EvaluationCase, type ModelAnswer } from '../src/index.js';

let folder: string;
let server: McpServer;

beforeEach(() => {
  folder = temporaryFolder();
  return open({ toolSearch: true });
});

async function open(options: object): Promise<void> {
  await server?.close();
  server = await createMcpServer({ name: 'shop', version: '1', services: [], audit: false, ...options });
  addRefund('Refund an order.');
  server.tools.add({ name: 'get_order', description: 'Get an order.', handler: () => 'ok' });
}

afterEach(async () => {
  await server.close();
});

function addRefund(description: string): void {
  server.tools.remove('refund_order');
  server.tools.add({
    name: 'refund_order',
    description,
    inputSchema: { type: 'object', properties: { orderId: { type: 'string' } }, required: ['orderId'] },
    handler: () => 'refunded',
  });
}

const through = (name: string, args: object) => ({ tool: 'call_tool', arguments: { name, arguments: args } });

const judge = async (expect: EvaluationCase['expect'], ...calls: ModelAnswer['calls']) => {
  const report = await evaluate(server, {
    recordings: join(folder, 'shop.recordings.json'),
    mode: 'all',
    model: { name: 'scripted', generate: () => ({ calls }) },
    cases: [{ request: 'Give the money of o1 back.', expect }],
  });
  return { ...report.cases[0]!, tools: report.tools };
};

test('a call through call_tool is judged as a call of the tool behind it', async () => {
  const expected = { tool: 'refund_order', arguments: { orderId: 'o1' }, exact: true };
  const right = await judge(expected, through('refund_order', { orderId: 'o1' }));
  expect(right).toMatchObject({
    passed: true,
    calls: [{ tool: 'refund_order', arguments: { orderId: 'o1' } }],
    tools: [{ name: 'refund_order', called: 1, instead: {} }],
  });
  const other = await judge(expected, through('get_order', { orderId: 'o1' }));
  expect(other).toMatchObject({ passed: false, tools: [{ called: 0, instead: { get_order: 1 } }] });
  const differs = await judge(expected, through('refund_order', { orderId: 'o2' }));
  expect(differs.problems).toMatchObject([{ kind: 'arguments' }]);
});

test('arguments that the tool behind would refuse are never right', async () => {
  const { problems } = await judge('refund_order', through('refund_order', { orderId: 1 }));
  expect(problems).toEqual([
    { kind: 'schema', message: expect.stringContaining('would refuse refund_order({"orderId":1})') },
  ]);
});

test('a table may still expect the search itself', async () => {
  expect(await judge('search_tools', { tool: 'search_tools', arguments: { query: 'refund' } })).toMatchObject(
    {
      passed: true,
    },
  );
  const call = through('refund_order', { orderId: 'o1' });
  expect(await judge('call_tool', call)).toMatchObject({ passed: true, calls: [call] });
  expect(await judge('refund_order', { tool: 'call_tool', arguments: {} })).toMatchObject({ passed: false });
});

test('a recording does not count any more when the text of the tool behind has changed', async () => {
  const cases = [{ request: 'Give the money of o1 back.', expect: 'refund_order' }];
  const model = {
    name: 'scripted',
    generate: () => ({ calls: [through('refund_order', { orderId: 'o1' })] }),
  };
  const options = { recordings: join(folder, 'shop.recordings.json'), cases };
  const client = await connect(server);
  expect((await evaluate(client, { ...options, model, mode: 'auto' })).failures).toEqual([]);
  expect((await evaluate(client, { ...options, mode: 'replay' })).failures).toEqual([]);
  addRefund('Refund an order of the last 30 days.');
  const { cases: after } = await evaluate(client, { ...options, mode: 'replay' });
  await client.close();
  expect(after[0]!.problems[0]!.message).toContain('the text of refund_order has changed');
});

describe('with code mode', () => {
  beforeEach(() => open({ codeMode: true }));

  const refund = { tool: 'refund_order', arguments: { orderId: 'o1' }, exact: true };

  test.each([
    ["await tools.refund_order({ orderId: 'o1' })", [refund], true],
    ['return (await tools["refund_order"]({ "orderId": `o1` })).text', [refund], true],
    [
      'const { get_order, refund_order: back } = tools; await get_order(); back({ orderId: "\\u006f1" })',
      ['get_order', refund],
      true,
    ],
    [
      '// tools.get_order()\nconst said = "tools.get_order()"; return tools.refund_order({ orderId: "o1" })',
      [refund],
      true,
    ],
    ['return `${await tools.get_order()}`', 'get_order', true],
    ['for (const id of ["o1"]) await tools.refund_order({ orderId: id })', 'refund_order', true],
    ['await tools.refund_order({ orderId: "o2" })', refund, false],
    ['await tools.refund_order({ orderId: 1 })', 'refund_order', false],
    ['await tools.get_order(); await tools.refund_order({ orderId: "o1" })', refund, false],
    ['return mine.tools.refund_order({ orderId: "o1" })', refund, false],
    ['return 1', 'refund_order', false],
    ['return 1', 'run_code', true],
  ] as const)('%s', async (code, expected, passed) => {
    const report = await judge(expected as EvaluationCase['expect'], {
      tool: 'run_code',
      arguments: { code },
    });
    expect(report).toMatchObject({ passed });
  });

  test('a report has the calls of a program, and says what it computes', async () => {
    const code =
      'const all = await tools.get_order({ tags: ["a", -2, null], of: { deep: true } }); return tools.refund_order({ orderId: all[0].id ?? f(1, 2), all })';
    const { calls, problems } = await judge(['get_order', refund], { tool: 'run_code', arguments: { code } });
    expect(calls).toEqual([
      { tool: 'get_order', arguments: { tags: ['a', -2, null], of: { deep: true } } },
      { tool: 'refund_order', arguments: { orderId: '‹all[0].id??f(1,2)›', all: '‹all›' } },
    ]);
    expect(problems).toMatchObject([{ kind: 'arguments' }]);
  });
});
