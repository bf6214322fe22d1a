import {
  BadRequestException,
  Catch,
  Injectable,
  InternalServerErrorException,
  NotFoundException,
  UseFilters,
  UseGuards,
  type ExceptionFilter,
} from '@nestjs/common';
import { McpTool, ToolError, type ToolContext } from '@toolwright/core';
import { connect } from '@toolwright/testing';
import { of, throwError } from 'rxjs';
import { handMadeManifest } from '../../core/test/packages/hand-made-manifest.js';
import { McpServerHost } from '../src/index.js';
import { closeApps, mcp, platforms, serve } from './support/apps.js';
import { manifest, serveStand } from './support/stand.js';

afterEach(closeApps);

const caught: unknown[] = [];
beforeEach(() => void caught.splice(0));

/** A filter for everything, as many apps have one. */
@Catch()
class Everything implements ExceptionFilter {
  catch(error: unknown) {
    caught.push(error);
    return 'Caught';
  }
}

const thrown: [string, () => Error, RegExp][] = [
  ['NotFoundException', () => new NotFoundException('No order 7'), /^No order 7$/],
  [
    'an exception with several messages',
    () => new BadRequestException(['a is empty', 'b is empty']),
    /^a is empty; b is empty$/,
  ],
  ['an exception for 500', () => new InternalServerErrorException('secret-canary'), /^Internal error \(ref/],
  ['any other error', () => new Error('secret-canary'), /^Internal error \(ref/],
  ['ToolError', () => new ToolError('Sold out'), /^Sold out$/],
];

test.each(thrown)('the caller sees of %s what it may see', async (_name, make, expected) => {
  @Injectable()
  class Stand {
    @McpTool()
    sell(_what: string): string {
      throw make();
    }
  }
  const text = await (await serveStand(Stand)).client.call('sell', { what: 'tea' });
  expect(text).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(expected) }] });
});

test('a ToolError is an answer, so no filter gets it', async () => {
  @Injectable()
  class Stand {
    @McpTool()
    @UseFilters(Everything)
    sell(what: string): string {
      throw what === 'tea' ? new ToolError('Sold out') : new Error('broken');
    }
  }
  const { client } = await serveStand(Stand);
  expect(await client.call('sell', { what: 'tea' })).toMatchObject({ content: [{ text: 'Sold out' }] });
  expect(await client.call('sell', { what: 'gold' })).toMatchObject({ content: [{ text: 'Caught' }] });
  expect(caught).toEqual([new Error('broken')]);
});

test('a filter may return an observable, as filters of message handlers do', async () => {
  @Injectable()
  class Stand {
    @McpTool()
    @UseFilters({
      catch: ({ message }: Error) =>
        message === 'tea' ? of('From a filter') : throwError(() => new NotFoundException('Nothing')),
    })
    sell(what: string): string {
      throw new Error(what);
    }
  }
  const { sell } = await serveStand(Stand);
  expect([await sell('tea'), await sell('gold')]).toEqual(['From a filter', 'Nothing']);
});

test('a filter gets what a guard throws', async () => {
  @Injectable()
  class Stand {
    @McpTool()
    @UseFilters(Everything)
    @UseGuards({ canActivate: () => false })
    sell(what: string): string {
      return what;
    }
  }
  expect(await (await serveStand(Stand)).sell()).toBe('Caught');
});

test('a question to the client passes a filter for everything', async () => {
  @Injectable()
  class Asking {
    @McpTool()
    @UseFilters(Everything)
    async ask(ctx: ToolContext): Promise<string> {
      const schema = { type: 'object', properties: { name: { type: 'string' } } };
      return (await ctx.elicit('who', { message: 'Who?', schema })).action;
    }
  }
  const asking = handMadeManifest({ file: 'src/asking.ts', name: 'Asking', methods: { ask: [] } });
  asking.entries[0]!.parameters = [{ name: 'ctx', kind: 'inject', inject: 'ToolContext' }];
  asking.entries[0]!.shape = handMadeManifest({
    file: 'src/asking.ts',
    name: 'Asking',
    methods: { ask: ['ctx'] },
  }).entries[0]!.shape;
  const { app } = await serve(platforms[0]!, { imports: [mcp({ manifest: asking })], providers: [Asking] });
  const { server } = app.get(McpServerHost);
  for (const revision of ['2026-07-28', '2025-11-25'] as const) {
    const client = await connect(server, { revision, elicit: () => ({ action: 'decline' }) });
    expect(await client.callText('ask')).toBe('decline');
    await client.close();
  }
  expect(caught).toEqual([]);
});

test('the server does not start if Nest would never run a guard that somebody has written', async () => {
  class Guard {
    canActivate() {
      return false;
    }
  }
  class Stand {
    @McpTool()
    @UseGuards(Guard)
    sell(what: string): string {
      return what;
    }
  }
  const lost = serve(platforms[0]!, {
    imports: [mcp({ manifest })],
    providers: [{ provide: Stand, useFactory: () => new Stand() }],
  });
  await expect(lost).rejects.toThrow(/@UseGuards\(Guard\) on Stand would never run/);
});

test('the server does not start if a guard is on a static method', async () => {
  class Stand {
    @McpTool()
    @UseGuards({ canActivate: () => false })
    static sell(what: string): string {
      return what;
    }
  }
  const statics = structuredClone(manifest);
  Object.assign(statics.entries[0]!, { static: true });
  await expect(serveStand(Stand, { manifest: statics })).rejects.toThrow(/Stand.sell, which is static/);
});
