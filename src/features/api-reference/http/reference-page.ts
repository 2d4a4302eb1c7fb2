import { ServedFile } from '../../../platform/http/answers/served-file.js';
import { Markup, markup } from '../../../platform/pages/markup.js';
import { PAGE_HEADERS } from '../../../platform/pages/page.js';
import { REFERENCE_ROUTE } from '../api-reference.routes.js';
import { type ReferenceFiles, SCRIPT_TYPE } from '../queries/reference-files.js';

/** Scripts, styles and requests stay on this server. `data:` is for the icons in the library's styles. */
const HEADERS = {
  ...PAGE_HEADERS,
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
} as const;

export function referencePage(files: ReferenceFiles): ServedFile {
  const links = [...files].map(([name, { type }]) => linkTo(`/${REFERENCE_ROUTE}/${name}`, type));
  const { html } = markup`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The API of this server</title>
<link rel="icon" href="data:,">
${links}</head>
<body>
<noscript><p>This page needs scripts. The description itself is <a href="/api/v1/openapi.json">openapi.json</a>.</p></noscript>
<main id="reference"></main>
</body>
</html>
`;
  return new ServedFile({
    type: PAGE_HEADERS['Content-Type'],
    headers: HEADERS,
    content: `<!doctype html>\n${html}`,
  });
}

/** Bundlers would give a tagged template that ends a script a helper, so this is none. The path needs no escaping. */
const linkTo = (path: string, type: string): Markup =>
  new Markup(
    type === SCRIPT_TYPE ? `<script src="${path}" defer></script>\n` : `<link rel="stylesheet" href="${path}">\n`,
  );
