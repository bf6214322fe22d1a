import type { Frame, Page } from 'playwright-core';
import { HOST, PROXY, VIEW, hostDocument, proxyDocument } from './host-documents.js';
import { hostPolicy } from './host-policy.js';
import type { HostProfile } from './host-profile.js';
import { type HostMessage, HostSession, type HostTheme } from './host-session.js';
import { openAiName, openAiScript } from './open-ai-globals.js';
import type { ViewServer, ViewUnderTest } from './view-under-test.js';

export interface Showing {
  readonly profile: HostProfile;
  readonly view: ViewUnderTest;
  readonly theme: HostTheme;
  readonly width: number;
  readonly server: ViewServer;
}

/** A page as it is shown: what it is, and what went wrong so far. */
export interface ShownView {
  readonly frame: Frame;
  readonly session: HostSession;
  /** Errors of scripts, what the policy forbade, and requests that went out all the same. */
  readonly faults: string[];
  /** True when a person can see the page. */
  isVisible(): boolean;
}

const HEIGHT = 900;

/**
 * Shows pages as hosts do, in one tab of a browser that is used again and again: a host's document, a sandbox on an origin
 * of its own, and the page in it, under the policy that this host would make. Nothing is sent to any other machine.
 */
export class EmulatedHost {
  #showing: Showing | undefined;
  #session: HostSession | undefined;
  #problems: string[] = [];
  #isVisible = false;

  private constructor(private readonly page: Page) {}

  static async on(page: Page): Promise<EmulatedHost> {
    const host = new EmulatedHost(page);
    await page.addInitScript(openAiScript);
    await page.exposeFunction('toolwrightHear', (message: HostMessage) => host.#session?.hear(message));
    await page.route('**/*', (route) => {
      const url = route.request().url();
      const answer = host.#documentAt(url);
      if (answer) return route.fulfill({ contentType: 'text/html; charset=utf-8', ...answer });
      host.#problems.push(`The page asked for ${url}, which an emulation does not load.`);
      return route.abort();
    });
    page.on('console', (message) => {
      if (message.type() === 'error') host.#problems.push(message.text());
    });
    page.on('pageerror', (error) => host.#problems.push(error.message));
    return host;
  }

  /** Shows a page, and waits until it is there. It may not have said anything yet. */
  async show(showing: Showing): Promise<ShownView> {
    const { profile, view, theme, width, server } = showing;
    const faults: string[] = (this.#problems = []);
    this.#showing = showing;
    this.#isVisible = profile.shows === 'at once';
    // A page that is left while it speaks gets no answer.
    const run = (script: string) => void this.page.evaluate(script).catch(() => undefined);
    const session = (this.#session = new HostSession(
      profile,
      { view, theme, width },
      {
        say: (message) => run(`say(${JSON.stringify(message)})`),
        show: () => {
          this.#isVisible = true;
          run(`say({ toolwright: 'show' })`);
        },
        setHeight: (height) => run(`setHeight(${Math.ceil(height)})`),
        server,
      },
    ));
    await this.page.setViewportSize({ width, height: HEIGHT });
    await this.page.emulateMedia({ colorScheme: theme });
    await this.page.goto(HOST);
    const frame = this.page.frame({ url: VIEW });
    if (!frame) throw new Error('The browser has not loaded the page.');
    return { frame, session, faults, isVisible: () => this.#isVisible };
  }

  /** Another width of the same page. */
  async resize(width: number): Promise<void> {
    await this.page.setViewportSize({ width, height: HEIGHT });
  }

  /** Gives the frame the height that its page has now, where the host measures it. */
  async fit(frame: Frame): Promise<void> {
    const { height, maxHeight } = this.#showing!.profile;
    if (height !== 'as drawn') return;
    const drawn = await frame.evaluate<number>('document.documentElement.getBoundingClientRect().height');
    await this.page.evaluate(`setHeight(${Math.min(Math.ceil(drawn), maxHeight)})`);
  }

  /** A picture of the page with its host's background. */
  async picture(path: string): Promise<void> {
    await this.page.locator('iframe').screenshot({ path });
  }

  #documentAt(url: string): { body: string; headers?: Record<string, string> } | undefined {
    if (!this.#showing) return undefined;
    const { profile, view, theme } = this.#showing;
    switch (url) {
      case HOST:
        return { body: hostDocument(hostBackground(profile, theme), theme) };
      case PROXY:
        return {
          body: proxyDocument(
            { sandbox: profile.sandbox, name: profile.hasOpenAi ? this.#openAiName() : '', theme },
            profile.shows === 'when initialized',
          ),
        };
      case VIEW:
        return {
          body: view.html,
          headers: {
            'content-security-policy': `${hostPolicy(profile, view.meta)}; frame-ancestors ${PROXY} ${HOST}`,
          },
        };
      default:
        return undefined;
    }
  }

  #openAiName(): string {
    const { profile, view, theme } = this.#showing!;
    const { structuredContent = null, _meta = null } = this.#session!.result;
    return openAiName({
      theme,
      locale: 'en-GB',
      displayMode: 'inline',
      maxHeight: profile.maxHeight,
      toolInput: view.input,
      toolOutput: structuredContent,
      toolResponseMetadata: _meta,
      widgetState: null,
    });
  }
}

/** What is behind a page that has no background of its own. */
export function hostBackground({ variables }: HostProfile, theme: HostTheme): string {
  return variables[theme]['--color-background-primary'] ?? (theme === 'dark' ? '#212121' : '#ffffff');
}
