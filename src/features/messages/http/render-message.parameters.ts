import { IsString } from 'class-validator';

/** `POST /messages/render`. */
export class RenderMessageParameters {
  @IsString()
  readonly content!: string;
}
