import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Frame } from 'playwright-core';
import { type EmulatedHost, type ShownView, hostBackground } from './emulated-host.js';
import type { HostProfile } from './host-profile.js';
import { refusedDomain } from './host-policy.js';
import { linkedPage } from './host-profiles.js';
import type { HostTheme } from './host-session.js';
import type { ViewServer, ViewUnderTest } from './view-under-test.js';

/** What one host made of one page, in one theme. */
export interface Examination {
  readonly host: string;
  readonly theme: HostTheme;
  /** Sentences. The page passes if there is none. */
  readonly problems: readonly string[];
  /** From the start of the page to its first paint. */
  readonly firstPaintMs: number | undefined;
  readonly pictures: readonly string[];
}

export interface ExamineOptions {
  readonly view: ViewUnderTest;
  readonly server: ViewServer;
  /** The source of axe-core. */
  readonly axe: string;
  /** Where pictures go. Default: none are made. */
  readonly folder?: string | undefined;
  /** How long a page may take until it has initialized. */
  readonly patienceMs: number;
  /** The greatest size of the page, in bytes. */
  readonly budget: number;
}

/** The sizes of a page, in bytes. */
export function weigh({ html }: ViewUnderTest): { readonly plain: number; readonly compressed: number } {
  const bytes = Buffer.from(html);
  return { plain: bytes.length, compressed: gzipSync(bytes).length };
}

/** Shows a page in one host and theme, at three widths, and says what is wrong with it. */
export async function examine(
  host: EmulatedHost,
  profile: HostProfile,
  theme: HostTheme,
  options: ExamineOptions,
): Promise<Examination> {
  const { view, server, axe, folder, patienceMs, budget } = options;
  const about = { host: profile.title, theme };
  const unreachable = findUnreachable(profile, view);
  if (unreachable !== undefined)
    return { ...about, problems: [unreachable], firstPaintMs: undefined, pictures: [] };
  const [first, ...others] = profile.widths;
  const shown = await host.show({ profile, view, server, theme, width: first });
  const problems: string[] = [];
  const { plain } = weigh(view);
  if (plain > budget)
    problems.push(`It weighs ${kilobytes(plain)}, which is more than the budget of ${kilobytes(budget)}.`);
  /** What a person sees. A hidden page draws nothing that one could look at. */
  const look = async ({ frame }: ShownView): Promise<string[]> => {
    await settle(frame);
    await host.fit(frame);
    problems.push(...(await findBarriers(frame, { axe, behind: hostBackground(profile, theme) })));
    const made: string[] = [];
    for (const width of [first, ...others]) {
      await host.resize(width);
      await settle(frame);
      await host.fit(frame);
      problems.push(...(await findProblemsOfLayout(frame, width)));
      if (folder === undefined) continue;
      const path = join(folder, `${profile.id}-${theme}-${width}.png`);
      await host.picture(path);
      made.push(path);
    }
    return made;
  };
  const hasBegun = await within(patienceMs, shown.session.initialized);
  if (!hasBegun) problems.push(silence(profile));
  const pictures = shown.isVisible() ? await look(shown) : [];
  const firstPaintMs = await firstPaint(shown.frame);
  problems.push(...shown.session.faults, ...new Set(shown.faults.map((fault) => `Error: ${fault}`)));
  return { ...about, problems: [...new Set(problems)], firstPaintMs, pictures };
}

function findUnreachable(
  profile: HostProfile,
  { tool, uri, mimeType, meta }: ViewUnderTest,
): string | undefined {
  const linked = linkedPage(profile, tool._meta);
  if (linked === undefined) return `It finds no page at the tool ${tool.name}.`;
  if (linked !== uri) return `It would show ${linked} in place of ${uri}.`;
  if (!profile.mimeTypes.includes(mimeType ?? ''))
    return `It does not show pages of the type ${mimeType ?? '(none)'}.`;
  const domain = refusedDomain(profile, meta);
  if (domain !== undefined) return `It shows no page with the domain ${domain}, which is not of its form.`;
  return undefined;
}

function silence({ shows, hasOpenAi }: HostProfile): string {
  const said = 'The page has not sent ui/initialize and ui/notifications/initialized';
  if (shows === 'when initialized') return `${said}, so this host never shows it.`;
  return `${said}, so it gets no ${hasOpenAi ? 'message' : 'result'} in this host.`;
}

/** True if the promise is fulfilled in time. */
async function within(ms: number, promise: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), ms)));
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits until three pictures in a row show the same document, or for a second. */
async function settle(frame: Frame): Promise<void> {
  await frame.evaluate(`new Promise((resolve) => {
    const end = performance.now() + 1000;
    let before = '', same = 0;
    const look = () => {
      const now = document.documentElement.outerHTML;
      same = now === before ? same + 1 : 0;
      before = now;
      if (same >= 3 || performance.now() > end) resolve(); else requestAnimationFrame(look);
    };
    look();
    setTimeout(resolve, 2000);
  })`);
}

/** WCAG, level AA. Rules of whole pages, such as their main heading, do not fit a page inside a chat. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** What axe finds, one sentence for each rule. */
async function findBarriers(
  frame: Frame,
  { axe, behind }: { axe: string; behind: string },
): Promise<string[]> {
  await frame.evaluate(axe);
  const { violations } = await frame.evaluate<{
    violations: { id: string; help: string; nodes: { html: string }[] }[];
  }>(`(async () => {
    // axe takes what is behind a page for white. In a host it is the host's own colour.
    const root = document.documentElement;
    const given = root.style.backgroundColor;
    const isClear = (node) => node && getComputedStyle(node).backgroundColor === 'rgba(0, 0, 0, 0)';
    if (isClear(root) && isClear(document.body)) root.style.backgroundColor = ${JSON.stringify(behind)};
    const found = await axe.run(document, { iframes: false, runOnly: ${JSON.stringify(RULES)} });
    root.style.backgroundColor = given;
    return found;
  })()`);
  return violations.map(({ id, help, nodes }) => {
    const more = nodes.length > 1 ? ` and ${nodes.length - 1} more` : '';
    return `Accessibility: ${help} (${id}): ${[...nodes[0]!.html].slice(0, 120).join('')}${more}`;
  });
}

async function findProblemsOfLayout(frame: Frame, width: number): Promise<string[]> {
  const { height, over, isBlank } = await frame.evaluate<{ height: number; over: number; isBlank: boolean }>(
    `(() => {
      const { scrollWidth, clientWidth, scrollHeight } = document.documentElement;
      const media = document.querySelector('img, svg, canvas, video, iframe');
      return {
        height: scrollHeight,
        over: scrollWidth - clientWidth,
        isBlank: !media && (!document.body || document.body.innerText.trim() === ''),
      };
    })()`,
  );
  return [
    ...(isBlank || height === 0 ? ['The page is blank.'] : []),
    ...(over > 1 ? [`At ${width} px, the page is ${over} px wider than its frame.`] : []),
  ];
}

async function firstPaint(frame: Frame): Promise<number | undefined> {
  const at = await frame.evaluate<number | null>(
    `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null`,
  );
  return at === null ? undefined : Math.round(at);
}

export const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(1)} KB`;
