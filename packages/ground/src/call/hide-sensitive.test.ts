import type { BoundTool } from './operation/operation.js';
import { mayMeetSecrets } from './hide-sensitive.js';

const tool = (name: string, secret: object = {}): BoundTool =>
  ({
    name,
    inputSchema: { type: 'object', properties: { code: { type: 'string', ...secret } } },
  }) as unknown as BoundTool;

test('whether a program can meet a secret depends on the tool that runs it, also after another one ran its own', () => {
  const [keeper, plain] = [tool('keeper', { writeOnly: true }), tool('plain')];
  for (const order of [
    [keeper, plain],
    [plain, keeper],
  ]) {
    const all = [keeper, plain];
    const registry = { tools: { everything: () => all } } as unknown as Parameters<typeof mayMeetSecrets>[0];
    const met = new Map(order.map((runner) => [runner.name, mayMeetSecrets(registry, runner)]));
    expect(Object.fromEntries(met)).toEqual({ keeper: false, plain: true });
  }
});
