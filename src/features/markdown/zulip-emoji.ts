/** Path of the picture that `:zulip:` shows: clients name it, too. */
export const ZULIP_EMOJI_PATH = 'static/generated/emoji/images/emoji/unicode/zulip.png';

const BASE64 = [
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABABAMAAABYR2ztAAAAMFBMVEVMaXFabtZabtZPZeVab9ZabtZab9Vab9VabtZabtZabtZabtZcb9Rbb9b/',
  '//+tt+sb6lC2AAAADXRSTlMA8swEXzkjT5rdfcYPziqD6AAAAAlwSFlzAAALEwAACxMBAJqcGAAAAXBJREFUSMeVlb9KA0EQxjfRmD9GsBGrqwRB',
  'ISDiAwSshfgG6UXQ3sJaCIitCGIliGCrELCzPgkSPUafQH0CxTHsXW5vZ79Jvu6YH9/ezszOGDONnq7Xovjs5CgQnrsiq/WuFN/qU6ZkW4hfUE6v',
  'HlFpkaPnjhuf6VFBww0H2CNPq84BkQ/E+UMOSdDyOF4lUQcZsCsDS1kKIxmI04RuUkArFuiFgKG9IwXVwSekZ+yEgcGoDLaM7185fdqi/hdklsIA',
  'tRmYR8AdA/sIeGHgFgFvDLQQkBjTLF7tNw/Qo1fqj5HDz7jkDcngO/u8NDVoQMemDA04EXVoQKemBA1o0SxAgyLgGTBQggYM1KEB/2QZGvA1a9CA',
  'E9WABpzqKjTgYjWhAZfbbZiiQTJJy6lNq7a9+nDUp5c+XgkYTPb81QGijiB9iKljUB2k+ihWh7m+DtSFoq8kU+njpeatxfb0i5UTepPGH7rB5X4f',
  'xefB5S7rDwa/IlTnLFO0AAAAAElFTkSuQmCC',
];

/** A white Z on a blue disc, 64 × 64 pixels, as PNG. */
export const ZULIP_EMOJI: Uint8Array = Buffer.from(BASE64.join(''), 'base64');
