import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Public } from '../../../platform/http/public.decorator.js';
import { EMOJI_DATA, EMOJI_DATA_PATH } from '../../markdown/emoji-data.js';
import { ZULIP_EMOJI, ZULIP_EMOJI_PATH } from '../../markdown/zulip-emoji.js';

/** Serves what is the same for every organization: the names of emoji, and pictures of emoji that are no characters. */
@Public()
@Controller()
export class EmojiFilesController {
  @Get(ZULIP_EMOJI_PATH)
  async zulip(@Res() reply: FastifyReply): Promise<void> {
    await reply.headers({ 'Content-Type': 'image/png', 'Cache-Control': 'public, max-age=86400' }).send(ZULIP_EMOJI);
  }

  @Get(EMOJI_DATA_PATH)
  async data(@Res() reply: FastifyReply): Promise<void> {
    await reply
      .headers({
        'Content-Type': 'application/json; charset=utf-8',
        'Cache-Control': 'public, max-age=31536000, immutable',
      })
      .send(EMOJI_DATA);
  }
}
