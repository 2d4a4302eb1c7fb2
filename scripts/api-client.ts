export type Parameters = Readonly<Record<string, unknown>>;

// biome-ignore lint/suspicious/noExplicitAny: answers are taken as they come, a field at a time
export type Answer = Readonly<Record<string, any>>;

/** Asks over HTTP. */
export type Ask = (method: string, path: string, parameters?: Parameters) => Promise<Answer>;

export const asking =
  (url: string, email: string, key: string): Ask =>
  async (method, path, parameters = {}) => {
    const texts = Object.entries(parameters).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: `Basic ${btoa(`${email}:${key}`)}` },
      ...(method === 'GET' ? {} : { body: new URLSearchParams(texts) }),
    });
    const answer = (await response.json()) as Answer;
    if (answer.result !== 'success') throw new Error(`${method} ${path}: ${answer.msg}`);
    return answer;
  };
