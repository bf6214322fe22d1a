/** Each action with the commit of one release. A tag can be moved to other code; a commit cannot. */
export const actions = {
  checkout: 'actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0',
  setupNode: 'actions/setup-node@a0853c24544627f65ddf259abe73b1d18a591444 # v5.0.0',
  upload: 'actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2',
  download: 'actions/download-artifact@d3f86a106a0bac45b974a628896c90dbdf5c8093 # v4.3.0',
  setupBuildx: 'docker/setup-buildx-action@e468171a9de216ec08956ac3ada2f0791b6bd435 # v3.11.1',
  login: 'docker/login-action@5e57cd118135c172c3672efd75eb46360885c0ef # v3.6.0',
  buildImage: 'docker/build-push-action@263435318d21b8e681c14492fe198d362a7d2c83 # v6.18.0',
} as const;

/** The tool of the MCP registry, and the SHA-256 of its archive for the runner. */
export const mcpPublisher = {
  version: '1.8.1',
  sha256: 'a06c9096dcb9727c13555b6be26c7effa707b01f06a4c561ba7a3635443cf2cc',
} as const;
