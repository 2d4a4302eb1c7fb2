import { SetMetadata } from '@nestjs/common';

export const PUBLIC = 'http:public';

/** Marks a route that needs no credentials, and ignores wrong ones. */
export const Public = (): MethodDecorator & ClassDecorator => SetMetadata(PUBLIC, true);
