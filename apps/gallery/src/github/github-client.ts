import { type SafeResponse, safeFetch } from '@toolwright/safe';
import { GithubRefusal } from './github-refusal.js';

export interface GithubSettings {
  /** `https://api.github.com`, or that of a GitHub of your own. */
  apiUrl: string;
  /** The repository that issues go to, such as `octocat/hello-world`. The operator chooses it, not the model. */
  repository: string;
  /** A token that may do nothing but write issues there. */
  token: string;
  /** Address ranges to allow although they are private, for a GitHub inside of a company. */
  allowedAddresses?: readonly string[];
}

export interface NewIssue {
  title: string;
  body: string;
  labels: string[];
}

export interface Issue {
  number: number;
  url: string;
}

/** The part of GitHub's REST API that the tools need. */
export class GithubClient {
  private readonly issues: URL;

  constructor(private readonly settings: GithubSettings) {
    this.issues = new URL(`repos/${settings.repository}/issues`, `${settings.apiUrl.replace(/\/$/, '')}/`);
  }

  /**
   * Creates an issue.
   *
   * @throws {GithubRefusal} when GitHub answers with anything else
   * @throws {ToolError} of `safeFetch`, when there is no answer
   */
  async createIssue(issue: NewIssue, signal: AbortSignal): Promise<Issue> {
    const response = await this.post(JSON.stringify(issue), signal);
    const answer = readJson(response);
    if (response.status !== 201) throw new GithubRefusal(response, answer);
    const { number, html_url: url } = answer;
    if (typeof number !== 'number' || typeof url !== 'string')
      throw new Error('GitHub answered without an issue.');
    return { number, url };
  }

  private post(body: string, signal: AbortSignal): Promise<SafeResponse> {
    const { hostname, port } = this.issues;
    return safeFetch(this.issues, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.settings.token}`,
        accept: 'application/vnd.github+json',
        'content-type': 'application/json',
        'user-agent': 'toolwright-gallery',
        'x-github-api-version': '2022-11-28',
      },
      body,
      // A redirect of a POST would be followed without its body, or lead somewhere else.
      maxRedirects: 0,
      allowedHosts: [hostname],
      allowedPorts: [port ? Number(port) : 443],
      allowedAddresses: this.settings.allowedAddresses,
      signal,
    });
  }
}

function readJson(response: SafeResponse): Record<string, unknown> {
  try {
    return Object(JSON.parse(response.text())) as Record<string, unknown>;
  } catch {
    return {};
  }
}
