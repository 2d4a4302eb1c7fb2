/** What the page calls a parameter of the API, if it shows it. */
export type LabelOf = (parameter: string) => string | undefined;

/** Names of parameters are the first word of a refusal, or have an underscore. */
const PARAMETER = /^[a-z]+\b|\b[a-z]+(?:_[a-z]+)+\b/g;

/** Puts labels where a refusal of the server names parameters: `“New name” cannot be blank`. */
export const withLabels = (words: string, labelOf: LabelOf): string =>
  words.replace(PARAMETER, (name) => {
    const label = labelOf(name);
    return label === undefined ? name : `“${label}”`;
  });
