import { createHash } from 'node:crypto';
import { type Markup, markup, NOTHING } from './markup.js';

/** A page for people, as a handler gives it. */
export class Page {
  constructor(
    readonly html: string,
    readonly status: number,
  ) {}
}

interface PageContent {
  /** The page's heading, and its title. */
  readonly title: string;
  readonly body: Markup;
  /** Default 200. */
  readonly status?: number;
}

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 26rem; padding: 2rem 1rem; }
h1 { font-size: 1.5rem; }
label { display: block; margin-top: 1rem; }
input { box-sizing: border-box; font: inherit; padding: 0.5rem; width: 100%; }
button { font: inherit; margin-top: 1.5rem; padding: 0.5rem 1.5rem; }
.problem { border-left: 0.25rem solid #c33; padding-left: 0.75rem; }
.hint { font-size: 0.875rem; }
`;

/** No script, no third party, no frame: what a page may do. */
export const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  // With `no-referrer`, browsers send a page's own form with `Origin: null`.
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
} as const;

/** Makes a page of the one template of all pages. */
export function page({ title, body, status = 200 }: PageContent): Page {
  const { html } = markup`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>`;
  const rest = markup`</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
  return new Page(`<!doctype html>\n${html}${STYLE}${rest.html}`, status);
}

/** A field of a form. Its label and `autocomplete` tell screen readers and password managers what it is for. */
interface Field {
  readonly name: string;
  readonly label: string;
  readonly type: 'email' | 'password' | 'text';
  readonly autocomplete: 'email' | 'username' | 'name' | 'new-password';
  readonly value?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly hint?: string;
  /** Shown, sent, and not to be changed. */
  readonly isFixed?: boolean;
}

interface FormContent {
  readonly action: string;
  readonly fields: readonly Field[];
  /** Values that are sent and not shown, by name. */
  readonly hidden?: Readonly<Record<string, string>>;
  readonly button: string;
  /** What was wrong with the form before. */
  readonly problem?: string | undefined;
}

/** Writes a form that works without scripts. */
export function form({ action, fields, hidden = {}, button, problem }: FormContent): Markup {
  return markup`${problem === undefined ? NOTHING : markup`<p class="problem" role="alert">${problem}</p>`}
<form method="post" action="${action}">
${Object.entries(hidden).map(([name, value]) => markup`<input type="hidden" name="${name}" value="${value}">`)}
${fields.map(fieldOf)}
<button type="submit">${button}</button>
</form>`;
}

function fieldOf(field: Field): Markup {
  const { name, label, type, autocomplete, value = '', minLength, maxLength, hint, isFixed = false } = field;
  const limits = [
    ...(minLength === undefined ? [] : [markup` minlength="${minLength}"`]),
    ...(maxLength === undefined ? [] : [markup` maxlength="${maxLength}"`]),
    ...(isFixed ? [markup` readonly`] : []),
    ...(hint === undefined ? [] : [markup` aria-describedby="${name}-hint"`]),
  ];
  return markup`<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" value="${value}" required${limits}>
${hint === undefined ? NOTHING : markup`<p class="hint" id="${name}-hint">${hint}</p>`}
`;
}

/** A page that says one thing. */
export const saying = (title: string, text: string, status = 200): Page =>
  page({ title, body: markup`<p>${text}</p>`, status });

/** Links that are unknown, broken, used, revoked or expired look the same. */
export const deadLink = (): Page =>
  saying(
    'This link cannot be used',
    'It may have expired, or it has been used already. Ask for a new one where you got it.',
    404,
  );
