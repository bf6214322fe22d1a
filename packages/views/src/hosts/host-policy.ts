import { isCspSource } from '@toolwright/json';
import type { Directive, HostProfile, OriginList, SettingsPlace } from './host-profile.js';
import { readMeta } from './host-profiles.js';

/** The `_meta` of a page in the places where hosts look for it. */
export type PlacedMeta = Readonly<Record<SettingsPlace, unknown>>;

type Declared = Readonly<Partial<Record<OriginList, readonly string[]>>>;

/** The names of the lists in the dialect of OpenAI. */
const openAiNames: Readonly<Record<OriginList, string>> = {
  connectDomains: 'connect_domains',
  resourceDomains: 'resource_domains',
  frameDomains: 'frame_domains',
  baseUriDomains: 'base_uri_domains',
};

/** Which directives each list extends. */
const directivesOf: Readonly<Record<OriginList, readonly Directive[]>> = {
  connectDomains: ['connect-src'],
  resourceDomains: ['script-src', 'style-src', 'img-src', 'media-src', 'font-src'],
  frameDomains: ['frame-src'],
  baseUriDomains: ['base-uri'],
};

const directives = [...new Set(Object.values(directivesOf).flat())];

/** What a host finds declared, in the first place where it looks and finds something. */
export function declaredPolicy({ policyAt, takes }: HostProfile, meta: PlacedMeta): Declared {
  for (const { place, dialect } of policyAt) {
    const path = dialect === 'official' ? ['ui', 'csp'] : ['openai/widgetCSP'];
    const found = readMeta(meta[place], path);
    if (typeof found !== 'object' || found === null) continue;
    return Object.fromEntries(
      takes.map((list) => {
        const name = dialect === 'official' ? list : openAiNames[list];
        const sources = (found as Record<string, unknown>)[name];
        return [list, Array.isArray(sources) ? sources.filter(isCspSource) : []];
      }),
    );
  }
  return {};
}

/** The domain that a host finds declared and does not accept. */
export function refusedDomain({ policyAt, domain: form }: HostProfile, meta: PlacedMeta): string | undefined {
  if (!form) return undefined;
  const declared = policyAt.map(({ place }) => readMeta(meta[place], ['ui', 'domain']));
  const domain = declared.find((each) => each !== undefined);
  return domain === undefined || form.test(String(domain)) ? undefined : String(domain);
}

/** The Content Security Policy under which a host shows a page. */
export function hostPolicy(profile: HostProfile, meta: PlacedMeta): string {
  const declared = declaredPolicy(profile, meta);
  const sourcesOf = (directive: Directive) => {
    const lists = profile.takes.filter((list) => directivesOf[list].includes(directive));
    const all = [...(profile.allows[directive] ?? []), ...lists.flatMap((list) => declared[list] ?? [])];
    return all.join(' ') || "'none'";
  };
  return [
    "default-src 'none'",
    ...directives.map((directive) => `${directive} ${sourcesOf(directive)}`),
    "object-src 'none'",
    "form-action 'none'",
  ].join('; ');
}
