/** Each action with the commit of one release. A tag can be moved to other code; a commit cannot. */
export const actions = {
  checkout: 'actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1',
  setupNode: 'actions/setup-node@820762786026740c76f36085b0efc47a31fe5020 # v7.0.0',
  upload: 'actions/upload-artifact@bbbca2ddaa5d8feaa63e36b76fdaad77386f024f # v7.0.0',
  download: 'actions/download-artifact@3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c # v8.0.1',
  setupBuildx: 'docker/setup-buildx-action@e468171a9de216ec08956ac3ada2f0791b6bd435 # v3.11.1',
  login: 'docker/login-action@5e57cd118135c172c3672efd75eb46360885c0ef # v3.6.0',
  buildImage: 'docker/build-push-action@263435318d21b8e681c14492fe198d362a7d2c83 # v6.18.0',
} as const;

/** The tool of the MCP registry, and the SHA-256 of its archive for the runner. */
export const mcpPublisher = {
  version: '1.8.1',
  sha256: 'a06c9096dcb9727c13555b6be26c7effa707b01f06a4c561ba7a3635443cf2cc',
} as const;
