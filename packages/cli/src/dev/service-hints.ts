import { relative, resolve, sep } from 'node:path';
import type { Manifest } from '@toolwright/manifest';
import { styleFor } from '../terminal/style.js';
import type { Terminal } from '../terminal/terminal.js';
import { placeOf } from './decide-step.js';
import type { ServiceName } from './messages.js';

/** Reports decorated classes that no server of the app lists, so that nobody wonders why a tool is missing. */
export class ServiceHints {
  private manifest: Pick<Manifest, 'classes' | 'entries'> = { classes: {}, entries: [] };
  private told: readonly string[] = [];

  /** @param directory of the project */
  constructor(
    private readonly directory: string,
    private readonly terminal: Terminal,
  ) {}

  /** All services of a manifest. */
  servicesOf(manifest: Manifest): ServiceName[] {
    this.manifest = manifest;
    const { classes, entries } = manifest;
    return [...new Set(entries.map((entry) => entry.class))].flatMap((key) => {
      const definition = classes[key];
      if (!definition) return [];
      const name = definition.name.slice(definition.name.lastIndexOf('.') + 1);
      return [{ key, name, place: placeOf(definition, this.directory) }];
    });
  }

  /**
   * Prints one line for each class that was not reported before.
   *
   * @param keys of the classes that no server lists
   */
  tell(keys: readonly string[]): void {
    const { cyan, yellow } = styleFor(this.terminal);
    for (const key of keys) {
      const definition = this.manifest.classes[key];
      if (!definition || this.told.includes(key)) continue;
      const { name, location } = definition;
      const file = relative(this.terminal.cwd, resolve(this.directory, location.file)).split(sep).join('/');
      const place = cyan(`${file}:${location.line}:${location.column}`);
      this.terminal.err(
        `${place}: ${yellow('not served')}: no server lists ${name}. Add it to the services of createMcpServer: services: [${name}].`,
      );
    }
    this.told = keys;
  }
}
