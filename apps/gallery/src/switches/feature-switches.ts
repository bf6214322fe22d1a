import type { EventBus } from '@toolwright/core';
import type { FeatureName } from './feature.js';

/** Which features are on. Clients are told that their lists have changed when one is switched. */
export class FeatureSwitches {
  private readonly on = new Set<FeatureName>();

  constructor(private readonly bus: EventBus) {}

  isOn(feature: FeatureName): boolean {
    return this.on.has(feature);
  }

  async set(feature: FeatureName, on: boolean): Promise<void> {
    if (on === this.on.has(feature)) return;
    if (on) this.on.add(feature);
    else this.on.delete(feature);
    await this.bus.publish({ type: 'toolsListChanged' });
  }
}
