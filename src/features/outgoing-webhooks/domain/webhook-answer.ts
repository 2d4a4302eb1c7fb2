/** What the service of a bot has answered. */
type WebhookAnswer =
  | { readonly kind: 'reply'; readonly text: string }
  | { readonly kind: 'no reply' }
  /** `problem` is for the owner of the bot. */
  | { readonly kind: 'wrong'; readonly problem: string };

const NO_REPLY: WebhookAnswer = { kind: 'no reply' };

/** Reads an answer to a call in this API's own form. `widget_content` is left out: messages have no widgets. */
export function nativeAnswer(body: string): WebhookAnswer {
  const answer = objectIn(body);
  if (answer === null) return { kind: 'wrong', problem: 'its answer is no JSON object' };
  if (answer.response_not_required === true) return NO_REPLY;
  return replyOf('content' in answer ? answer.content : answer.response_string, 'content');
}

/** Reads an answer to a call in Slack's form. */
export function slackAnswer(body: string): WebhookAnswer {
  const answer = objectIn(body);
  return answer === null ? { kind: 'wrong', problem: 'its answer is no JSON object' } : replyOf(answer.text, 'text');
}

function replyOf(text: unknown, field: string): WebhookAnswer {
  if (text === undefined || text === null) return NO_REPLY;
  if (typeof text !== 'string') return { kind: 'wrong', problem: `${field} in its answer is no text` };
  return text.trim() === '' ? NO_REPLY : { kind: 'reply', text };
}

function objectIn(body: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
