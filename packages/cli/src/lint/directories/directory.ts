/** The directories whose rules `lint --for` knows. */
export const directories = ['claude', 'chatgpt', 'registry'] as const;

export type Directory = (typeof directories)[number];

/** The pages on which the directories publish their rules. Every finding names one of them. */
export const sources = {
  claudeReview: 'https://claude.com/docs/connectors/building/review-criteria',
  claudeAuthentication: 'https://claude.com/docs/connectors/building/authentication',
  claudeLimits: 'https://claude.com/docs/connectors/faq',
  claudeCode: 'https://code.claude.com/docs/en/mcp',
  claudePolicy: 'https://support.claude.com/en/articles/11697096-anthropic-mcp-directory-policy',
  claudeSubmission: 'https://support.claude.com/en/articles/12922490-remote-mcp-server-submission-guide',
  claudeApps: 'https://apps.extensions.modelcontextprotocol.io/api/documents/csp-and-cors.html',
  chatgptGuidelines: 'https://developers.openai.com/apps-sdk/app-submission-guidelines',
  chatgptSubmission: 'https://developers.openai.com/apps-sdk/deploy/submission',
  chatgptReference: 'https://developers.openai.com/apps-sdk/reference',
  chatgptTools: 'https://developers.openai.com/apps-sdk/plan/tools',
  chatgptAuthentication: 'https://developers.openai.com/apps-sdk/build/auth',
  registrySchema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  registryPackages: 'https://modelcontextprotocol.io/registry/package-types',
  registryRemotes: 'https://modelcontextprotocol.io/registry/remote-servers',
  registryRequirements:
    'https://github.com/modelcontextprotocol/registry/blob/main/docs/reference/server-json/official-registry-requirements.md',
  registryFormat:
    'https://github.com/modelcontextprotocol/registry/blob/main/docs/reference/server-json/generic-server-json.md',
  registryChanges:
    'https://github.com/modelcontextprotocol/registry/blob/main/docs/reference/server-json/CHANGELOG.md',
  npmExec: 'https://docs.npmjs.com/cli/commands/npx',
} as const;
