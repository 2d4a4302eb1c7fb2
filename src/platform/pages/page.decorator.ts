import { Public } from '../http/public.decorator.js';

/** For a controller of pages: needs no credentials. */
export const Pages = Public;
