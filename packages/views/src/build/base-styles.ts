/** The look of every view: the colours and fonts of the host, where it gives some. Views may override all of it. */
export const baseStyles = `:root{color-scheme:light dark;font:14px/1.5 var(--font-sans,system-ui,sans-serif);color:var(--color-text-primary,CanvasText);background:transparent}
body{margin:0;padding:12px;box-sizing:border-box;overflow-wrap:anywhere}
*,*::before,*::after{box-sizing:inherit}
h1{margin:0 0 .5rem;font-size:1.125rem}
button,input,select,textarea{font:inherit}
:focus-visible{outline:2px solid var(--color-ring-primary,Highlight);outline-offset:2px}
.tw-state{margin:0;color:var(--color-text-secondary,light-dark(#5c5c5c,#b3b3b3))}
.tw-failed{color:var(--color-text-danger,#b3261e)}
@media (prefers-color-scheme:dark){.tw-failed{color:var(--color-text-danger,#f2b8b5)}}
@media (prefers-reduced-motion:reduce){*{animation:none!important;transition:none!important}}
`;
