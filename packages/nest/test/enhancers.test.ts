import {
  Catch,
  ForbiddenException,
  Injectable,
  Scope,
  SetMetadata,
  UseFilters,
  UseGuards,
  UseInterceptors,
  type CallHandler,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, Reflector } from '@nestjs/core';
import { McpTool } from '@toolwright/core';
import { map, of } from 'rxjs';
import { McpExecutionContext } from '../src/index.js';
import { callTool, closeApps } from './support/apps.js';
import { serveStand } from './support/stand.js';

afterEach(closeApps);

const Roles = (...roles: string[]) => SetMetadata('roles', roles);

/** Compares what is written on the handler and its class with the arguments of the call. */
@Injectable()
class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}
  canActivate(context: ExecutionContext): boolean {
    const places = [context.getHandler(), context.getClass()];
    const roles = this.reflector.getAllAndOverride<string[] | undefined>('roles', places);
    if (context.getType<string>() !== 'mcp') return true;
    return !roles || roles.includes(String(McpExecutionContext.create(context).arguments['what']));
  }
}

@Injectable()
class Shout implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler) {
    return next.handle().pipe(map((text: string) => text.toUpperCase()));
  }
}

class SoldOut extends Error {}

@Catch(SoldOut)
class SoldOutFilter implements ExceptionFilter<SoldOut> {
  catch({ message }: SoldOut) {
    return `Sorry: ${message}`;
  }
}

test('a guard on the class or the method decides about the call, and reads what decorators have left', async () => {
  @Injectable()
  @UseGuards(RolesGuard)
  class Stand {
    @McpTool()
    @Roles('tea')
    sell(what: string): string {
      return `Sold ${what}`;
    }
  }
  const { sell } = await serveStand(Stand);
  expect([await sell('tea'), await sell('gold')]).toEqual(['Sold tea', 'Forbidden resource']);
});

test('an interceptor sees what the method returns, and changes it', async () => {
  @Injectable()
  class Stand {
    @McpTool()
    @UseInterceptors(Shout)
    sell(what: string): string {
      return `Sold ${what}`;
    }
  }
  expect(await (await serveStand(Stand)).sell()).toBe('SOLD TEA');
});

test('an interceptor may answer in the place of the method', async () => {
  let sold = 0;
  @Injectable()
  class Stand {
    @McpTool()
    @UseInterceptors({ intercept: () => of('From the shelf') })
    sell(what: string): string {
      return `Sold ${what} ${++sold}`;
    }
  }
  expect([await (await serveStand(Stand)).sell(), sold]).toEqual(['From the shelf', 0]);
});

test('an exception filter answers for the errors that it catches', async () => {
  @Injectable()
  class Stand {
    @McpTool()
    @UseFilters(SoldOutFilter)
    sell(what: string): string {
      throw new SoldOut(`no ${what}`);
    }
  }
  expect(await (await serveStand(Stand)).sell()).toBe('Sorry: no tea');
});

describe.each([
  ['singletons', Scope.DEFAULT],
  ['in request scope', Scope.REQUEST],
])('enhancers that are %s', (_name, scope) => {
  let built = 0;
  beforeEach(() => void (built = 0));

  @Injectable({ scope })
  class Even implements CanActivate {
    readonly number = ++built;
    canActivate(context: ExecutionContext) {
      if (context.getType<string>() === 'mcp' && this.number === 2 && scope === Scope.REQUEST)
        throw new ForbiddenException('Not the second one');
      return true;
    }
  }

  test('of a method run', async () => {
    @Injectable()
    class Stand {
      @McpTool()
      @UseGuards(Even)
      sell(what: string): string {
        return `Sold ${what}`;
      }
    }
    const { sell } = await serveStand(Stand);
    const second = scope === Scope.REQUEST ? 'Not the second one' : 'Sold tea';
    expect([await sell(), await sell(), await sell()]).toEqual(['Sold tea', second, 'Sold tea']);
  });

  test('of the app run around calls where `useNestEnhancers` asks for it', async () => {
    @Injectable()
    class Stand {
      @McpTool()
      sell(what: string): string {
        return `Sold ${what}`;
      }
    }
    const providers = [{ provide: APP_GUARD, useClass: Even, scope }];
    const { sell } = await serveStand(Stand, { providers, useNestEnhancers: true });
    const second = scope === Scope.REQUEST ? 'Not the second one' : 'Sold tea';
    expect([await sell(), await sell(), await sell()]).toEqual(['Sold tea', second, 'Sold tea']);
  });
});

describe('the global enhancers of the app', () => {
  const ran: string[] = [];
  beforeEach(() => void ran.splice(0));

  const note = (name: string) => (context: ExecutionContext) =>
    void ran.push(`${name} of ${context.getType<string>()}`);
  const providers = [
    {
      provide: APP_GUARD,
      useValue: { canActivate: (context: ExecutionContext) => (note('guard')(context), true) },
    },
    {
      provide: APP_INTERCEPTOR,
      useValue: {
        intercept: (context: ExecutionContext, next: CallHandler) => (
          note('interceptor')(context),
          next.handle()
        ),
      },
    },
    { provide: APP_FILTER, useClass: SoldOutFilter },
  ];

  @Injectable()
  class Stand {
    @McpTool()
    sell(what: string): string {
      if (what === 'gold') throw new SoldOut('no gold');
      return `Sold ${what}`;
    }
  }

  test('run around the route only', async () => {
    const { url } = await serveStand(Stand, { providers });
    expect(await callTool(url, 'sell', { what: 'tea' })).toBe('Sold tea');
    expect(ran).toEqual(['guard of http', 'interceptor of http']);
    expect(await callTool(url, 'sell', { what: 'gold' })).toMatch(/^Internal error \(ref/);
  });

  test('run around each call where `useNestEnhancers` asks for it', async () => {
    const { url } = await serveStand(Stand, { providers, useNestEnhancers: true });
    expect(await callTool(url, 'sell', { what: 'tea' })).toBe('Sold tea');
    expect(ran).toEqual(['guard of http', 'interceptor of http', 'guard of mcp', 'interceptor of mcp']);
    expect(await callTool(url, 'sell', { what: 'gold' })).toBe('Sorry: no gold');
  });

  test('are reported at the start as long as the app has not decided', async () => {
    const warned: string[] = [];
    const logger = {
      debug() {},
      info() {},
      error() {},
      warn: (_: object, text: string) => void warned.push(text),
    };
    await serveStand(Stand, { providers, logger });
    await serveStand(Stand, { providers, logger, useNestEnhancers: false });
    await serveStand(Stand, { logger });
    expect(warned.filter((text) => text.includes('global guards'))).toHaveLength(1);
  });
});
