/** What a view may be made of beside TypeScript: JSX, styles, pictures and fonts. */
const partOfView = 'jsx|css|svg|png|jpe?g|gif|webp|avif|woff2?';

/** The files whose change may change what is compiled. */
export const sourceFile = new RegExp(`\\.(?:[cm]?tsx?|${partOfView})$`, 'i');
