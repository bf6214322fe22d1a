import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  Client as ClientV2,
  type DpopSession,
  StreamableHTTPClientTransport as TransportV2,
} from '@modelcontextprotocol/client';
import { Person } from './person.js';

export type Version = 'v1' | 'v2';

/** Where the client listens for the code. Nothing does: the person reads the code from the address. */
const CALLBACK = 'http://127.0.0.1:9/callback';

interface Tokens {
  access_token: string;
  refresh_token?: string;
  scope?: string;
}

/** What an application keeps for the official client of either version, and its person. */
export class Keeper {
  #client: unknown;
  #verifier = '';
  tokens_: Tokens | undefined;
  /** The addresses that the person was sent to. */
  readonly visited: URL[] = [];
  /** What came back with the last sign-in. */
  #back = new URLSearchParams();
  #discovered: unknown;

  constructor(
    private readonly person: Person,
    /** The URL of its metadata document; without it, it registers dynamically. */
    readonly clientMetadataUrl?: string,
    private readonly refreshes = true,
    session?: DpopSession,
  ) {
    if (session) this.dpop = () => session;
  }

  /** Signs requests with a key, where the client can. Version 2 asks for it. */
  readonly dpop?: () => DpopSession;

  readonly redirectUrl = CALLBACK;
  get clientMetadata() {
    return {
      client_name: 'An application',
      redirect_uris: [CALLBACK],
      grant_types: ['authorization_code', ...(this.refreshes ? ['refresh_token'] : [])],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
  }
  clientInformation = () => this.#client as never;
  saveClientInformation = (client: unknown) => void (this.#client = client);
  tokens = () => this.tokens_ as never;
  saveTokens = (tokens: unknown) => void (this.tokens_ = tokens as Tokens);
  saveCodeVerifier = (verifier: string) => void (this.#verifier = verifier);
  codeVerifier = () => this.#verifier;
  state = () => 'state-of-the-test';
  saveDiscoveryState = (state: unknown) => void (this.#discovered = state);
  discoveryState = () => this.#discovered as never;

  /** Version 1 takes the code, version 2 everything that came back. */
  answerFor = (version: Version) => (version === 'v1' ? this.#back.get('code')! : this.#back) as never;

  async redirectToAuthorization(url: URL): Promise<void> {
    this.visited.push(url);
    const back = await this.person.signIn(url);
    const fault = back.searchParams.get('error');
    if (fault !== null) throw new Error(`${fault}: ${back.searchParams.get('error_description')}`);
    this.#back = back.searchParams;
  }
}

export interface SignedIn {
  keeper: Keeper;
  names(): Promise<string[]>;
  call(name: string): Promise<{ isError?: boolean; text: string }>;
  close(): Promise<void>;
}

interface ConnectOptions {
  document?: string;
  refreshes?: boolean;
  dpop?: DpopSession;
  /** Sends all requests of the client. */
  fetch?: typeof fetch;
  /** The id of a client that was registered before. */
  client?: string | undefined;
}

/** Connects an official client. Its person signs in whenever the client asks for it. */
export async function connectAs(
  version: Version,
  endpoint: string,
  user: string | Person,
  { document, refreshes, dpop, fetch, client: known }: ConnectOptions = {},
): Promise<SignedIn> {
  const person = typeof user === 'string' ? new Person(user) : user;
  const keeper = new Keeper(person, document, refreshes, dpop);
  if (known !== undefined) keeper.saveClientInformation({ client_id: known });
  const parts = () => partsOf(version, endpoint, { authProvider: keeper as never, ...(fetch && { fetch }) });
  const open = async () => {
    const [client, transport] = parts();
    try {
      await client.connect(transport as never);
    } catch (error) {
      if (!isUnauthorized(error)) throw error;
      await transport.finishAuth(keeper.answerFor(version));
      const [next, again] = parts();
      await next.connect(again as never);
      return { client: next, transport: again };
    }
    return { client, transport };
  };
  const { client, transport } = await open();
  const withSignIn = async <T>(run: () => Promise<T>): Promise<T> => {
    try {
      return await run();
    } catch (error) {
      if (!isUnauthorized(error)) throw error;
      await transport.finishAuth(keeper.answerFor(version));
      return run();
    }
  };
  return {
    keeper,
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name) =>
      withSignIn(async () => {
        const result = (await client.callTool({ name, arguments: {} })) as {
          isError?: boolean;
          content: { text: string }[];
        };
        return {
          ...(result.isError !== undefined && { isError: result.isError }),
          text: result.content.map(({ text }) => text).join(''),
        };
      }),
    close: () => client.close(),
  };
}

function partsOf(version: Version, endpoint: string, options: { authProvider: never; fetch?: typeof fetch }) {
  const info = { name: 'official', version: '1.0.0' };
  const url = new URL(endpoint);
  return version === 'v1'
    ? ([new ClientV1(info), new TransportV1(url, options as never)] as const)
    : ([new ClientV2(info), new TransportV2(url, options as never)] as const);
}

const isUnauthorized = (error: unknown) => (error as Error).constructor.name === 'UnauthorizedError';
