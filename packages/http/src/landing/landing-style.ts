/** The style of the page. The policy of the page names it by its hash, so nothing else is a style there. */
export const landingStyle = `
:root{color-scheme:light dark;--text:#1b1f24;--back:#fff;--soft:#59636e;--box:#f3f5f7;--line:#d1d9e0;--link:#0b57d0}
@media (prefers-color-scheme:dark){:root{--text:#e6e9ed;--back:#14171b;--soft:#a3adb8;--box:#1e2329;--line:#39424d;--link:#8ab4f8}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:44rem;padding:2rem 1rem 4rem;font:1rem/1.55 system-ui,sans-serif;color:var(--text);background:var(--back)}
header{display:flex;gap:1rem;align-items:center}
header img{width:3.5rem;height:3.5rem;object-fit:contain}
h1{margin:0;font-size:1.75rem;line-height:1.2}
h2{margin:2.25rem 0 .5rem;font-size:1.25rem}
h3{margin:0 0 .5rem;font-size:1.05rem}
h1,p,li{overflow-wrap:anywhere}
.sign-in h2{margin-top:0}
.soft{color:var(--soft)}
.host,.sign-in{margin:1rem 0;padding:1rem;border:1px solid var(--line);border-radius:.5rem}
.host>:last-child,.sign-in>:last-child{margin-bottom:0}
pre{margin:.5rem 0;padding:.75rem;border-radius:.375rem;background:var(--box);white-space:pre-wrap;overflow-wrap:anywhere}
code{font:.875rem/1.5 ui-monospace,monospace}
a,summary{color:var(--link)}
summary{cursor:pointer}
a:focus-visible,summary:focus-visible{outline:3px solid var(--link);outline-offset:2px}
`;

/** The SHA-256 of `landingStyle`. A test compares them. */
export const LANDING_STYLE_HASH = 'sha256-f7ZdHM7fcjmHzoeETGSYNBXRuYhihGSg51GW4JjFHa0=';
