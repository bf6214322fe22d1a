import { relative, resolve, sep } from 'node:path';
import type { Manifest } from '@toolwright/manifest';
import { styleFor } from '../terminal/style.js';
import type { Terminal } from '../terminal/terminal.js';
import { placeOf } from './decide-step.js';
import type { ServiceName } from './messages.js';

/** Tells of decorated classes that no server of the app lists, so that nobody looks for a tool that is not served. */
export class ServiceHints {
  private manifest: Pick<Manifest, 'classes' | 'entries'> = { classes: {}, entries: [] };
  private told: readonly string[] = [];

  /** @param directory of the project */
  constructor(
    private readonly directory: string,
    private readonly terminal: Terminal,
  ) {}

  /** What there is to be served. */
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
   * One line for each that is new among them.
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
