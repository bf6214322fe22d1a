import type { Node } from './binding.js';
import { Container } from './container.js';
import { Kernel } from './kernel.js';

class Recorder {
  constructor(
    readonly name: string,
    private readonly log: string[],
    private readonly failure?: string,
  ) {}
  async onInit() {
    this.log.push(`init ${this.name}`);
    if (this.failure === 'init') throw new Error(`${this.name} cannot start`);
  }
  async onDispose() {
    this.log.push(`dispose ${this.name}`);
    if (this.failure === 'dispose') throw new Error(`${this.name} cannot stop`);
  }
}

function chain(log: string[], failures: Record<string, string> = {}): { container: Container; root: Node } {
  const container = new Container(new Map());
  const provide = (name: string, inject: string[]) =>
    container.provide({
      provide: name,
      inject,
      useFactory: (..._: unknown[]) => new Recorder(name, log, failures[name]),
    });
  provide('store', []);
  provide('cache', ['store']);
  provide('service', ['cache', 'store']);
  return { container, root: container.link('service')! };
}

test('instances are initialised in the order of their dependencies and disposed in reverse', async () => {
  const log: string[] = [];
  const kernel = new Kernel(() => undefined);
  await kernel.start([chain(log).root]);
  await kernel.retain([]);
  expect(log).toEqual([
    'init store',
    'init cache',
    'init service',
    'dispose service',
    'dispose cache',
    'dispose store',
  ]);
});

test('if one cannot start, those before it are disposed, and the error contains the reason', async () => {
  const log: string[] = [];
  const { root } = chain(log, { cache: 'init' });
  const starting = new Kernel(() => undefined).start([root]);
  await expect(starting).rejects.toMatchObject({
    problems: [{ code: 'TW_SERVICE_START', message: '"cache" could not be built: cache cannot start' }],
    cause: expect.any(Error),
  });
  expect(log).toEqual(['init store', 'init cache', 'dispose cache', 'dispose store']);
});

test('an error while disposing one does not stop the disposal of others', async () => {
  const log: string[] = [];
  const kernel = new Kernel(() => undefined);
  await kernel.start([chain(log, { service: 'dispose', store: 'dispose' }).root]);
  await expect(kernel.retain([])).rejects.toThrow(AggregateError);
  expect(log.filter((line) => line.startsWith('dispose'))).toHaveLength(3);
});

test('existing values and aliases are not disposed', async () => {
  const log: string[] = [];
  const container = new Container(new Map());
  container.provide({ provide: 'value', useValue: new Recorder('value', log) });
  container.provide({ provide: 'alias', useExisting: 'value' });
  const kernel = new Kernel(() => undefined);
  await kernel.start([container.link('alias')!]);
  await kernel.retain([]);
  expect(log).toEqual([]);
});

test('an instance that another service still needs is kept', async () => {
  const log: string[] = [];
  const { container, root } = chain(log);
  const kernel = new Kernel(() => undefined);
  await kernel.start([root]);
  await kernel.retain([container.link('cache')!]);
  expect(log.slice(3)).toEqual(['dispose service']);
});
