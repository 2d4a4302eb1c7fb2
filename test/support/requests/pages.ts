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
