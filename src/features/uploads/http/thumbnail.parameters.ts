import { IsIn, IsOptional, IsString } from 'class-validator';

export class PictureParameters {
  /** A picture's URL, without the slash at its beginning. */
  @IsString() readonly url!: string;

  @IsOptional() @IsIn(['thumbnail', 'full']) readonly size: 'thumbnail' | 'full' = 'thumbnail';
}
