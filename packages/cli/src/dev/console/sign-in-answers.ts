import { isWebUrl } from '@toolwright/json';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ConsoleEvent, ProjectMethods, ObservedSignIn, SignInDiagnosis } from '@toolwright/console';

const PACKAGE = '@toolwright/identity';

/** The part of `@toolwright/identity/doctor` that is used here. It is the project's own copy. */
interface DoctorModule {
  diagnoseSignIn(
    url: string,
    options: { redirectUri: string; openPage(url: URL): Promise<URL> },
  ): Promise<SignInDiagnosis>;
  listenForAnswer(show: (page: string) => void): Promise<{
    readonly redirectUri: string;
    openPage(url: URL): Promise<URL>;
    close(): void;
  }>;
}

export interface SignInAnswersOptions {
  readonly directory: string;
  readonly refusal: (message: string) => Error;
  readonly tell: (event: ConsoleEvent) => void;
}

/** Lets the doctor of the project's copy of the package sign in for the console, one sign-in at a time. */
export class SignInAnswers {
  #current: ObservedSignIn | undefined;
  #giveUp: () => void = () => undefined;

  constructor(private readonly options: SignInAnswersOptions) {}

  readonly methods: Pick<ProjectMethods, 'signIn' | 'startSignIn'> = {
    signIn: () => this.#current ?? null,
    startSignIn: ({ url }) => this.#start(url),
  };

  close(): void {
    this.#giveUp();
  }

  /** @throws {ConsoleRefusal} without the package, and for a text that is not a URL */
  async #start(text: unknown): Promise<ObservedSignIn> {
    const { refusal } = this.options;
    if (!isWebUrl(text))
      throw refusal('The address is no URL. Expected one such as https://mcp.example.com/mcp.');
    const url = new URL(text).href;
    const { diagnoseSignIn, listenForAnswer } = this.#load();
    this.#giveUp();
    let isGivenUp = false;
    const change = (more: Omit<ObservedSignIn, 'url'>) => {
      if (!isGivenUp) this.#set({ url, ...more });
    };
    const { redirectUri, openPage, close } = await listenForAnswer((page) => change({ page }));
    this.#giveUp = () => {
      isGivenUp = true;
      close();
    };
    this.#set({ url });
    diagnoseSignIn(url, { redirectUri, openPage })
      .then(
        (diagnosis) => change({ diagnosis }),
        (error: Error) => change({ problem: error.message }),
      )
      .finally(close);
    return this.#current!;
  }

  #set(signIn: ObservedSignIn): void {
    this.#current = signIn;
    this.options.tell({ type: 'signIn', signIn });
  }

  #load(): DoctorModule {
    const { directory, refusal } = this.options;
    const require = createRequire(join(directory, 'package.json'));
    let path: string;
    try {
      path = require.resolve(`${PACKAGE}/doctor`);
    } catch {
      throw refusal(
        `The doctor is in a package that the project does not have: npm install --save-dev ${PACKAGE}`,
      );
    }
    return require(path) as DoctorModule;
  }
}
