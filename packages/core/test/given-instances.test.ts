import { McpService, McpTool, type McpServer, type ServerOptions } from '@toolwright/core';
import { handMadeManifest } from './packages/hand-made-manifest.js';
import { boot, problemsOf } from './support/booting.js';
import { StatelessWire } from './wire/stateless-wire.js';

const closed: string[] = [];

@McpService()
class Orders {
  constructor(private readonly rows: Map<string, string>) {}
  @McpTool({ name: 'order_of' })
  orderOf(id: string): string {
    return this.rows.get(id) ?? 'none';
  }
  onInit(): void {
    throw new Error('The application has done this already.');
  }
  onDispose(): void {
    closed.push('orders');
  }
}

/** Its private members are lost by everything that copies it or calls its methods on another object. */
@McpService()
class Bookings {
  #count = 0;
  @McpTool()
  book(): string {
    return `booking ${++this.#count}`;
  }
}

@McpService()
class Report {
  constructor(private readonly orders: Orders) {}
  @McpTool()
  report(): string {
    return this.orders.orderOf('1');
  }
}

@McpService({ scope: 'session' })
class Basket {
  @McpTool()
  fill(): string {
    return 'full';
  }
}

class Undecorated {
  look(): string {
    return 'nothing';
  }
}

class Priority extends Orders {}

const manifest = handMadeManifest(
  { file: 'src/orders.ts', name: 'Orders', methods: { orderOf: ['id'] } },
  { file: 'src/orders.ts', name: 'Priority', methods: { orderOf: ['id'] } },
  { file: 'src/bookings.ts', name: 'Bookings', methods: { book: [] } },
  { file: 'src/report.ts', name: 'Report', methods: { report: [] } },
);

let server: McpServer | undefined;
afterEach(async () => {
  await server?.close(0);
  server = undefined;
  closed.length = 0;
});

async function start(options: Partial<ServerOptions>): Promise<StatelessWire> {
  server = await boot({ manifest, ...options });
  return new StatelessWire(server);
}

const orders = () => new Orders(new Map([['1', 'three boxes']]));
const textOf = ({ result }: { result?: any }) => result.content[0].text as string;

describe('objects that the application has made', () => {
  test('are called as they are, neither initialised nor closed', async () => {
    const bookings = new Bookings();
    bookings.book();
    const wire = await start({ instances: [orders(), bookings] });
    expect(textOf(await wire.call('order_of', { id: '1' }))).toBe('three boxes');
    expect(textOf(await wire.call('book'))).toBe('booking 2');
    expect(bookings.book()).toBe('booking 3');
    await server!.close(0);
    expect(closed).toEqual([]);
  });

  test('are all that is served, where no option names classes', async () => {
    await start({ instances: [new Bookings()] });
    expect(server!.tools.list().map(({ name }) => name)).toEqual(['book']);
  });

  test('stand beside classes, which get them by their class', async () => {
    const wire = await start({ services: [Report], instances: [orders()] });
    expect(textOf(await wire.call('report'))).toBe('three boxes');
    expect(await server!.get(Orders)).toBeInstanceOf(Orders);
  });

  test('may be of a class that inherits its methods', async () => {
    const wire = await start({ instances: [new Priority(new Map([['2', 'first']]))] });
    expect(textOf(await wire.call('order_of', { id: '2' }))).toBe('first');
  });

  test.each<[string, Partial<ServerOptions>, RegExp]>([
    [
      'an undecorated class',
      { instances: [new Undecorated()] },
      /instances\[0\] is of Undecorated, which has no dec/,
    ],
    ['a plain object', { instances: [{}] }, /instances\[0\] is of Object, which has no decorated method/],
    ['no class', { instances: [Object.create(null) as object] }, /instances\[0\] is of Object/],
    [
      'a class of which each session has its own',
      { instances: [new Basket()] },
      /instances\[0\] is of Basket, which has the scope "session": all callers would share/,
    ],
    [
      'a class that comes twice',
      { instances: [orders(), orders()] },
      /instances\[1\] is the second instance of Orders/,
    ],
    [
      'a class of services',
      { instances: [orders()], services: [Orders] },
      /instances\[0\] is of Orders, which the option services names, too/,
    ],
    [
      'a class of providers',
      { instances: [orders()], providers: [{ provide: Orders, useFactory: orders }] },
      /which the option providers provides, too/,
    ],
    ['a class itself', { instances: [Bookings] }, /must be a list of objects, but instances\[0\] is/],
    ['nothing', { instances: [undefined as never] }, /must be a list of objects, but instances\[0\] is/],
  ])('are refused at boot: %s', async (_what, options, message) => {
    const problems = await problemsOf({ manifest, ...options });
    expect(problems.map((each) => each.message)).toEqual([expect.stringMatching(message)]);
  });
});
