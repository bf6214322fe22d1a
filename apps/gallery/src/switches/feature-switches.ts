import type { FeatureName } from './feature.js';

/** Which features are on. */
export class FeatureSwitches {
  private readonly on = new Set<FeatureName>();
  private readonly listeners = new Set<() => void>();

  isOn(feature: FeatureName): boolean {
    return this.on.has(feature);
  }

  set(feature: FeatureName, on: boolean): void {
    if (on === this.on.has(feature)) return;
    if (on) this.on.add(feature);
    else this.on.delete(feature);
    for (const hear of this.listeners) hear();
  }

  /** Hears whenever a feature has been switched. */
  onChange(listener: () => void): void {
    this.listeners.add(listener);
  }
}
