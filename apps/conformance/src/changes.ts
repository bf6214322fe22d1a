import { MemoryEventBus } from '@toolwright/core/ports';

/** The server's event bus, for tools that publish on it themselves. */
export class Changes {
  readonly bus = new MemoryEventBus();

  announce(type: 'toolsListChanged' | 'promptsListChanged'): void {
    this.bus.publish({ type });
  }
}
