import { Controller, Get, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { TakesNoTurn } from '../../../directory/http/read-turn.guard.js';
import { PathText } from '../../../platform/http/parameters/path.decorators.js';
import { Public } from '../../../platform/http/public.decorator.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { sendShownPicture } from '../../uploads/http/shown-pictures.js';
import { CUSTOM_EMOJI_ROUTES } from '../custom-emoji-routes.js';
import { ReadEmojiPicture } from '../queries/custom-emoji.queries.js';

const NAME = /^([1-9]\d{0,14})\.(webp|png)$/;
const [PICTURE, STILL] = CUSTOM_EMOJI_ROUTES;

/** Serves the pictures of custom emoji to everybody. A picture never changes: ids are not used again. */
@Public()
@TakesNoTurn()
@Controller()
export class CustomEmojiPicturesController {
  constructor(private readonly queries: QueryBus) {}

  @Get(PICTURE)
  picture(@PathText('picture') name: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    return this.answer({ name, isStill: false }, request, reply);
  }

  @Get(STILL)
  still(@PathText('picture') name: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    return this.answer({ name, isStill: true }, request, reply);
  }

  private async answer(
    { name, isStill }: { readonly name: string; readonly isStill: boolean },
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const [, id, format] = NAME.exec(name) ?? refuse('SHOWN_PICTURE_NOT_FOUND');
    const picture = await this.queries.execute(new ReadEmojiPicture({ id: Number(id), isStill }));
    if (!picture || picture.format !== format) return refuse('SHOWN_PICTURE_NOT_FOUND');
    await sendShownPicture(picture.file, picture.format, request, reply);
  }
}
