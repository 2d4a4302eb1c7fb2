import type { Token } from './token.js';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const KEYWORDS = words(
  'assert async await break continue del elif else except finally for global if lambda nonlocal pass raise return try while with yield as',
);
const CONSTANTS = words('None True False');
const OPERATORS = words('in is and or not');
const SELVES = words('self cls Ellipsis NotImplemented');
const BUILT_IN = words(
  '__import__ abs aiter all any bin bool bytearray breakpoint bytes callable chr classmethod compile complex delattr dict dir divmod enumerate eval filter float format frozenset getattr globals hasattr hash hex id input int isinstance issubclass iter len list locals map max memoryview min next object oct open ord pow print property range repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip',
);
const EXCEPTIONS =
  /^(?:[A-Z]\w*(?:Error|Warning)|BaseException|Exception|GeneratorExit|KeyboardInterrupt|StopIteration|StopAsyncIteration|SystemExit)$/;
const MAGIC =
  /^__(?:init|new|del|repr|str|bytes|format|lt|le|eq|ne|gt|ge|hash|bool|getattr|setattr|call|len|getitem|setitem|iter|next|contains|enter|exit|add|sub|mul)__$/;

const TOKEN = new RegExp(
  [
    /(?<first>^#![^\n]*)/,
    /(?<comment>#[^\n]*)/,
    /(?<prefix>[rRbBuUfF]{0,2})(?<string>"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?)/,
    /(?<float>(?:\d[\d_]*)?\.\d[\d_]*(?:[eE][+-]?\d+)?j?|\d[\d_]*(?:\.(?!\w)|[eE][+-]?\d+)j?)/,
    /(?<hex>0[xX][\da-fA-F_]+)/,
    /(?<octal>0[oO][0-7_]+)/,
    /(?<binary>0[bB][01_]+)/,
    /(?<integer>\d[\d_]*)/,
    /(?<defined>\b(?:def|class)\b(?=[ \t]+[^\W\d]))/,
    /(?<imported>\b(?:from|import)\b)/,
    /(?<decorator>@[ \t]*[^\W\d][\w.]*)/,
    /(?<name>[^\W\d]\w*)/,
    /(?<operator>!=|==|<<|>>|:=|[-~+/*%=<>&^|.@])/,
    /(?<sign>[\][:;{}(),])/,
    /(?<space>\s+)/,
    /(?<other>[\s\S])/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gu',
);

/** Tokens of Python code. */
export function* pythonTokens(code: string): Iterable<Token> {
  let names: string | null = null;
  let isLineStart = true;
  for (const { groups = {} } of code.matchAll(TOKEN)) {
    const {
      first,
      comment,
      prefix = '',
      string,
      defined,
      imported,
      decorator,
      name,
      operator,
      sign,
      space,
      other,
    } = groups;
    if (space !== undefined) {
      yield [null, space];
      if (space.includes('\n')) {
        names = null;
        isLineStart = true;
      }
      continue;
    }
    if (first !== undefined) yield ['ch', first];
    else if (comment !== undefined) yield ['c1', comment];
    else if (string !== undefined) yield* stringTokens(prefix, string, isLineStart);
    else if (defined !== undefined) yield ['k', defined];
    else if (imported !== undefined) yield ['kn', imported];
    else if (decorator !== undefined) yield isLineStart ? ['nd', decorator] : ['o', decorator];
    else if (name !== undefined) yield [names ?? kindOf(name), name];
    else if (operator !== undefined) yield ['o', operator];
    else if (sign !== undefined) yield ['p', sign];
    else if (other !== undefined) yield [other === '!' || other === '$' || other === '?' ? 'err' : null, other];
    else yield numberToken(groups);
    if (defined !== undefined) names = defined === 'def' ? 'nf' : 'nc';
    else if (imported !== undefined) names = 'nn';
    else if (name !== undefined && names !== 'nn') names = null;
    else if (name === 'as') names = 'nn';
    isLineStart = false;
  }
}

function kindOf(name: string): string {
  if (CONSTANTS.has(name)) return 'kc';
  if (KEYWORDS.has(name)) return 'k';
  if (OPERATORS.has(name)) return 'ow';
  if (SELVES.has(name)) return 'bp';
  if (BUILT_IN.has(name)) return 'nb';
  if (EXCEPTIONS.test(name)) return 'ne';
  return MAGIC.test(name) ? 'fm' : 'n';
}

function numberToken({ float, hex, octal, binary, integer }: Record<string, string | undefined>): Token {
  if (float !== undefined) return ['mf', float];
  if (hex !== undefined) return ['mh', hex];
  if (octal !== undefined) return ['mo', octal];
  return binary === undefined ? ['mi', integer ?? ''] : ['mb', binary];
}

/** Escapes and placeholders in a string have colours of their own. */
function* stringTokens(prefix: string, string: string, isLineStart: boolean): Iterable<Token> {
  const kind = string.startsWith('"') ? 's2' : 's1';
  if (isLineStart && /^("""|''')/.test(string)) return yield ['sd', prefix + string];
  if (prefix !== '') yield ['sa', prefix];
  if (/r/i.test(prefix)) return yield [kind, string];
  const width = /^("""|''')/.test(string) ? 3 : 1;
  const quote = string.slice(0, width);
  const isClosed = string.length >= 2 * width && string.endsWith(quote);
  yield [kind, quote];
  const inside = string.slice(width, isClosed ? -width : undefined);
  for (const [part] of inside.matchAll(/\\(?:[\s\S]|$)|%[-#0 +]*(?:[1-9]\d*)?(?:\.\d+)?[diouxXeEfFgGcrsa%]|[^\\%]+|%/g))
    yield [part.startsWith('\\') ? 'se' : part.length > 1 && part.startsWith('%') ? 'si' : kind, part];
  if (isClosed) yield [kind, quote];
}
