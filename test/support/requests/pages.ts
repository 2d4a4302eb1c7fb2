/** A page as a browser gets it. */
export interface ShownPage {
  readonly status: number;
  /** Its `Content-Type`. */
  readonly type: string | null;
  readonly html: string;
  readonly headers: Headers;
}

export const openPage = async (url: string): Promise<ShownPage> => shown(await fetch(url));

/** Sends a form as a browser does. */
export const sendForm = async (
  url: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<ShownPage> => shown(await fetch(url, { method: 'POST', body: new URLSearchParams(fields), headers }));

async function shown(response: Response): Promise<ShownPage> {
  const { status, headers } = response;
  return { status, headers, type: headers.get('content-type'), html: await response.text() };
}

/** Fills in the only form of a page as a person does, and sends it to where the page says. */
export function fillForm(
  url: string,
  { html }: ShownPage,
  fields: Readonly<Record<string, string>>,
): Promise<ShownPage> {
  const action = /<form method="post" action="([^"]+)"/.exec(html)?.[1];
  if (action === undefined) throw new Error(`the page has no form:\n${html}`);
  const asked = new Map(
    [...html.matchAll(/<input [^>]*name="([^"]+)"[^>]*value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );
  for (const name of Object.keys(fields)) if (!asked.has(name)) throw new Error(`the form has no ${name}:\n${html}`);
  return sendForm(new URL(action, url).href, { ...Object.fromEntries(asked), ...fields });
}
