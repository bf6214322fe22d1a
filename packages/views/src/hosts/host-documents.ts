/** Where the documents of an emulated host are. Nothing is served there: the browser's requests are answered here. */
export const HOST = 'https://host.test/';
export const PROXY = 'https://proxy.test/';
export const VIEW = 'https://view.test/';

/** The chat, with the frame of the sandbox in it. */
export function hostDocument(background: string, theme: string): string {
  return `<!doctype html><html lang="en"><title>Host</title>
<style>:root { color-scheme: ${theme} } html, body { margin: 0; background: ${background} } iframe { border: 0; display: block; width: 100%; height: 150px }</style>
<iframe title="sandbox" src="${PROXY}"></iframe>
<script>
  addEventListener('message', ({ source, data }) => { if (source === frames[0]) toolwrightHear(data); });
  function say(data) { frames[0].postMessage(data, '${new URL(PROXY).origin}'); }
  function setHeight(height) { document.querySelector('iframe').style.height = height + 'px'; }
</script></html>`;
}

/**
 * The sandbox between host and page, on an origin of its own. It passes messages on in both directions. Hosts have it so
 * that a page cannot reach their own document.
 */
export function proxyDocument(
  { sandbox, name, theme }: { sandbox: string; name: string; theme: string },
  isHidden: boolean,
): string {
  return `<!doctype html><html lang="en"><title>Sandbox</title>
<style>:root { color-scheme: ${theme} } html, body { margin: 0; height: 100% } iframe { border: 0; display: block; width: 100%; height: 100% } .hidden { visibility: hidden }</style>
<script>
  addEventListener('message', ({ source, data }) => {
    if (source === parent && data && data.toolwright === 'show') frames[0] && document.querySelector('iframe').classList.remove('hidden');
    else if (source === parent) frames[0].postMessage(data, '*');
    else if (source === frames[0]) parent.postMessage(data, '${new URL(HOST).origin}');
  });
</script>
<iframe title="view" name="${escapeAttribute(name)}" class="${isHidden ? 'hidden' : ''}" sandbox="${sandbox}" src="${VIEW}"></iframe></html>`;
}

const escapeAttribute = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
