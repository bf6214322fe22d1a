const plain = ['express-json', 'toolwright-express'];
const sdk = ['sdk-v2', 'sdk-v2-kept-schemas'];

/**
 * What is published, and who takes part: what the documentation and the bars name. All contestants of all workloads take
 * hours, and nobody leaves a machine alone for hours.
 */
export const published: Record<string, readonly string[]> = {
  'call-10': [...plain, 'node-http', 'toolwright-http', ...sdk, 'fastmcp', 'mcp-nest'],
  'call-1000': [...plain, ...sdk],
  'call-1000-1': ['toolwright-express'],
  'call-object': [...plain, 'node-http', 'toolwright-http', 'sdk-v2-kept-schemas'],
  'call-large-object': plain,
  'call-dto': [...plain, 'express-class-validator', 'sdk-v2-kept-schemas'],
  'call-usual': [...plain, 'node-http', 'toolwright-http'],
  'call-usual-15': plain,
  'call-auth': plain,
  'call-redis': ['toolwright-express'],
  'call-elicit': [...plain, 'sdk-v2-kept-schemas'],
  'call-task': plain,
  proxy: plain,
  'fetch-handler': ['plain-fetch', 'toolwright-fetch', 'sdk-v2-fetch'],
  'listen-fanout': ['node-http', 'toolwright-http', 'sdk-v2-kept-schemas'],
  'time-to-peak': [...plain, 'toolwright-http'],
  'call-session': plain,
  'call-256': plain,
  'call-steady': plain,
  'large-argument': plain,
  'large-result': plain,
  'list-1000': ['toolwright-express', ...sdk],
  progress: plain,
  stdio: ['node-http', 'toolwright-http', 'sdk-v2-kept-schemas'],
  'cold-start-10': plain,
  'cold-start-1000': plain,
  'memory-tools': ['toolwright-express'],
  'memory-sessions': ['toolwright-express', 'sdk-v2-kept-schemas'],
  'memory-streams': ['node-http', 'toolwright-express'],
};
