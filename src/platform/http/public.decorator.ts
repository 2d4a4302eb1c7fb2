import { SetMetadata } from '@nestjs/common';
import { RouteMark } from './route-mark.js';

export const PUBLIC = 'http:public';

/** Marks a route that needs no credentials, and ignores wrong ones. */
export const Public = (): MethodDecorator & ClassDecorator => SetMetadata(PUBLIC, true);

export const isPublic = new RouteMark<boolean>(PUBLIC);
