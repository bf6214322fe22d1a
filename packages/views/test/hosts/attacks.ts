/** Where a server, or a stranger whose data it passes on, can put markup. */
export const places = ['name', 'description', 'result', 'markdown', 'svg', 'html'] as const;
export type ViewPlace = (typeof places)[number];

/** Ways in which markup runs a script where it is taken for markup. Each calls `pwned` with its own name. */
const ways: readonly ((call: string) => string)[] = [
  (call) => `<script>${call}</script>`,
  (call) => `<img src=x onerror=${call}>`,
  (call) => `<svg onload=${call}></svg>`,
  (call) => `<svg xmlns="http://www.w3.org/2000/svg"><script>${call}</script></svg>`,
  (call) => `"><iframe srcdoc="<script>parent.${call}</script>"></iframe>`,
  (call) => `<details open ontoggle=${call}>x</details>`,
  (call) => `<math><mtext></form><form><mglyph><style></math><img src onerror=${call}>`,
  (call) => `[x](javascript:${call}) <a href="javascript:${call}" autofocus onfocus=${call}>x</a>`,
  (call) => `</textarea></title></style></script></template><script>${call}</script>`,
  (call) => `<input autofocus onfocus=${call}><video><source onerror=${call}></video>`,
];

export interface Attack {
  readonly place: ViewPlace;
  readonly name: string;
  readonly markup: string;
}

/** All of them: ten ways in each of six places. */
export const attacks: readonly Attack[] = places.flatMap((place) =>
  ways.map((way, index) => {
    const name = `${place}${index + 1}`;
    return { place, name, markup: way(`pwned(&quot;${name}&quot;)`.replaceAll('&quot;', '`')) };
  }),
);

/** The attacks in one way, by place. */
export const attackIn = (index: number): Readonly<Record<ViewPlace, string>> =>
  Object.fromEntries(
    places.map((place) => [place, attacks.find(({ name }) => name === `${place}${index + 1}`)!.markup]),
  ) as Record<ViewPlace, string>;

export const wayCount = ways.length;

/** A result that carries markup in every form that a result has. */
export function hostileResult(markup: Readonly<Record<ViewPlace, string>>) {
  const svg = Buffer.from(markup.svg).toString('base64');
  const rows = [{ cell: markup.result, other: markup.markdown }];
  return {
    content: [
      { type: 'text' as const, text: markup.result },
      { type: 'text' as const, text: `# ${markup.markdown}\n\n![x](${markup.markdown})` },
      { type: 'image' as const, data: svg, mimeType: 'image/svg+xml' },
      {
        type: 'resource' as const,
        resource: { uri: 'file:///a.svg', mimeType: 'image/svg+xml', text: markup.svg },
      },
      {
        type: 'resource' as const,
        resource: { uri: 'file:///a.html', mimeType: 'text/html', text: markup.html },
      },
      {
        type: 'resource' as const,
        resource: { uri: 'file:///a.md', mimeType: 'text/markdown', text: markup.markdown },
      },
      { type: 'resource_link' as const, uri: 'javascript:pwned(`link`)', name: markup.name },
    ],
    structuredContent: { rows, city: markup.result },
  };
}
