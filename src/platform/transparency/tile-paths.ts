/** Hashes in a full tile, and entries in a full bundle. */
export const TILE_WIDTH = 256;

/** A tile of hashes at a level from 0, or a bundle of entries (C2SP tlog-tiles). */
export interface TileName {
  readonly level: number | 'entries';
  /** Counts from 0 within its level. */
  readonly index: number;
  /** 1 to 256: how many it holds. */
  readonly width: number;
}

const PATH = /^tile\/(entries|0|[1-9][0-9]?)\/((?:x[0-9]{3}\/)*[0-9]{3})(?:\.p\/([1-9][0-9]{0,2}))?$/;
const TOP_LEVEL = 63;

/** Path of a tile below the log's address: `tile/0/x001/x234/067`, `tile/entries/273.p/112`. */
export function tilePath({ level, index, width }: TileName): string {
  const digits = String(index);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/.{3}/g) ?? [];
  const place = groups.map((group, at) => (at === groups.length - 1 ? group : `x${group}`)).join('/');
  return `tile/${level}/${place}${width === TILE_WIDTH ? '' : `.p/${width}`}`;
}

/** Reads the path of a tile. null: it is none, or is not written as the format wants it. */
export function parseTilePath(path: string): TileName | null {
  const [, level = '', place = '', width] = PATH.exec(path) ?? [];
  const name: TileName = {
    level: level === 'entries' ? level : Number(level),
    index: Number(place.replace(/[x/]/g, '')),
    width: width === undefined ? TILE_WIDTH : Number(width),
  };
  if (place === '' || !Number.isSafeInteger(name.index) || (name.level !== 'entries' && name.level > TOP_LEVEL))
    return null;
  return (width === undefined || name.width < TILE_WIDTH) && tilePath(name) === path ? name : null;
}
