import type { get } from '../../platform/api.js';

export type Explanation = Awaited<ReturnType<typeof get<'/permissions/why'>>>;
type Check = Explanation['checks'][number];

/** What the server asked for, in its order. */
export const Checks = ({ of: { allowed, checks } }: { readonly of: Explanation }) => (
  <>
    <h2>{allowed ? 'Yes' : 'No'}</h2>
    <ol>
      {checks.map((check, index) => (
        <li key={index}>
          {`${check.holds ? '✓' : '✗'} ${wordsOf(check)}`}
          {check.decides && <strong> – decides</strong>}
        </li>
      ))}
    </ol>
  </>
);

function wordsOf({ fact, setting, of, groups = [], guests, names_account: isNamed, holds }: Check): string {
  if (fact !== undefined) return holds ? fact : `not: ${fact}`;
  const named = groups.map(({ name, is_in: isIn }) => `${name} (${isIn ? 'is in it' : 'is not in it'})`);
  if (isNamed) named.push('the account itself');
  const whom = named.length === 0 ? 'nobody' : named.join(', ');
  return `${setting} of the ${of} names ${whom}${guests === false ? '; not for guests' : ''}`;
}
