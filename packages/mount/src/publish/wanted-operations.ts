import type { MountSettings } from '../options.js';
import { isSelected, textsOf } from '../patterns.js';
import { patternLength, type UpstreamCatalogue } from '../read-catalogue.js';
import type { Turns } from '../turns.js';
import { promptOf, resourceOf, templateOf, toolOf } from './definitions.js';
import type { PublishedMount } from './published-mount.js';

export type Collection = 'resources' | 'resourceTemplates' | 'prompts' | 'tools';

/** An operation that our server shall have of a server behind. */
export interface WantedOperation {
  readonly text: string;
  /** How long it takes to add, in characters of its text. */
  readonly weight: number;
  /** Its name at the server behind. */
  readonly source: string;
  readonly make: () => object;
}

/** By their addresses in our server: forms of several callers may have one name. */
export type WantedOperations = ReadonlyMap<Collection, ReadonlyMap<string, WantedOperation>>;

/** What a server behind offers. */
export interface CatalogueOffer {
  readonly mount: PublishedMount;
  readonly settings: MountSettings;
  readonly catalogue: UpstreamCatalogue;
}

type Definition = Readonly<Record<string, unknown>>;

/** Makes an operation of ours of a definition. */
type Make = (mount: PublishedMount, settings: MountSettings, each: Definition) => object;

/** One character of a pattern takes as long as this number of others. */
const PATTERN = 30;

/** What of a catalogue its mount selects. */
export async function wantedOperations(
  { mount, settings, catalogue }: CatalogueOffer,
  turns: Turns,
): Promise<WantedOperations> {
  const by = async (all: readonly Definition[], address: string, make: Make) => {
    const wanted = new Map<string, WantedOperation>();
    for (const each of all) {
      await turns.rest();
      const source = each[address] as string;
      const form = mount.forms?.formOf(each);
      const text = JSON.stringify(each);
      const weight = text.length + PATTERN * patternLength(each);
      const made = () => make(mount, settings, each);
      wanted.set(form ? `${source} ${form.key}` : source, { text, weight, source, make: made });
    }
    return wanted;
  };
  const selected = (all: readonly Definition[], address: string) =>
    all.filter((each) => isSelected(settings.select, textsOf(each, address)));
  const resources = [...catalogue.apps, ...selected(catalogue.resources, 'uri')];
  const templates = selected(catalogue.resourceTemplates, 'uriTemplate');
  return new Map<Collection, Map<string, WantedOperation>>([
    ['tools', await by(selected(catalogue.tools, 'name'), 'name', toolOf)],
    ['prompts', await by(selected(catalogue.prompts, 'name'), 'name', promptOf)],
    ['resources', await by(resources, 'uri', resourceOf)],
    ['resourceTemplates', await by(templates, 'uriTemplate', templateOf)],
  ]);
}
