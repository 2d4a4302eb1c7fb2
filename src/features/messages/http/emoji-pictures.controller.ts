import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Public } from '../../../platform/http/public.decorator.js';
import { ZULIP_EMOJI, ZULIP_EMOJI_PATH } from '../../markdown/zulip-emoji.js';

/** Serves pictures of emoji that are no characters. */
@Public()
@Controller()
export class EmojiPicturesController {
  @Get(ZULIP_EMOJI_PATH)
  async zulip(@Res() reply: FastifyReply): Promise<void> {
    await reply.headers({ 'Content-Type': 'image/png', 'Cache-Control': 'public, max-age=86400' }).send(ZULIP_EMOJI);
  }
}
