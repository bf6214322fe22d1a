import { issuerMetadataUrls, resourceMetadataUrl } from './metadata-urls.js';

test.each([
  ['https://api.example.com', 'https://api.example.com/.well-known/oauth-protected-resource'],
  ['https://api.example.com/mcp/', 'https://api.example.com/.well-known/oauth-protected-resource/mcp'],
])('the metadata of %s stands at %s', (resource, url) => {
  expect(resourceMetadataUrl(resource)).toBe(url);
});

test('the metadata of an issuer without a path has two places', () => {
  expect(issuerMetadataUrls('https://id.example.com/')).toEqual([
    'https://id.example.com/.well-known/oauth-authorization-server',
    'https://id.example.com/.well-known/openid-configuration',
  ]);
});

test('the metadata of an issuer with a path has three places', () => {
  expect(issuerMetadataUrls('https://id.example.com/team')).toEqual([
    'https://id.example.com/.well-known/oauth-authorization-server/team',
    'https://id.example.com/.well-known/openid-configuration/team',
    'https://id.example.com/team/.well-known/openid-configuration',
  ]);
});
