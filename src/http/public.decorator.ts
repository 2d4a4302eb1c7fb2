import { SetMetadata } from '@nestjs/common';

export const PUBLIC = 'http:public';

/** No credentials are needed, and wrong ones do no harm. */
export const Public = (): MethodDecorator & ClassDecorator => SetMetadata(PUBLIC, true);
