import { Injectable, UseGuards, type ExecutionContext } from '@nestjs/common';
import { McpTool } from '@toolwright/core';
import { McpExecutionContext } from '../src/index.js';
import { callTool, closeApps, platforms } from './support/apps.js';
import { serveStand } from './support/stand.js';

afterEach(closeApps);

describe.each([...platforms.keys()])('the context of a call, on platform %d', (index) => {
  const seen: unknown[] = [];
  beforeEach(() => void seen.splice(0));

  @Injectable()
  class Stand {
    @McpTool()
    @UseGuards({
      canActivate(context: ExecutionContext) {
        const { operation, toolContext, arguments: args, principal } = McpExecutionContext.create(context);
        const http = context.switchToHttp();
        const request = http.getRequest<{ headers: Record<string, string> } | undefined>();
        seen.push(operation.name, args, principal, toolContext.requestId !== undefined);
        seen.push(request?.headers['x-tenant'], http.getResponse() !== undefined);
        seen.push(context.getClass() === Stand, context.getHandler().name);
        return true;
      },
    })
    sell(what: string): string {
      return `Sold ${what}`;
    }
  }

  test('has the call, the handler and the HTTP request', async () => {
    const { url } = await serveStand(Stand, {}, index);
    await callTool(url, 'sell', { what: 'tea' }, { headers: { 'x-tenant': 'acme' } });
    expect(seen).toEqual(['sell', { what: 'tea' }, undefined, true, 'acme', true, true, 'sell']);
  });

  test('has no HTTP request over another transport', async () => {
    const { sell } = await serveStand(Stand, {}, index);
    expect(await sell()).toBe('Sold tea');
    expect(seen.slice(4, 6)).toEqual([undefined, false]);
  });
});

test('`McpExecutionContext` refuses the context of a route', () => {
  const context = { getType: () => 'http' } as unknown as ExecutionContext;
  expect(() => McpExecutionContext.create(context)).toThrow(/getType\(\) === 'mcp'/);
});
