// The yardstick of the frameworks: Nest on Fastify parses the form of a send, validates it as Annals' own DTO, and
// dispatches a command by @nestjs/cqrs. Nothing is stored.
import 'reflect-metadata';
import { Body, Controller, HttpCode, Module, Post, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CommandBus, CommandHandler, CqrsModule } from '@nestjs/cqrs';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { SendMessageParameters } from '../../src/features/messages/http/messages.controller.js';

class SendMessage {
  constructor(readonly parameters: SendMessageParameters) {}
}

@CommandHandler(SendMessage)
class SendMessageHandler {
  private lastId = 0;

  async execute({ parameters }: SendMessage): Promise<number> {
    if (parameters.content === '') throw new Error('no content');
    this.lastId++;
    return this.lastId;
  }
}

@Controller('messages')
class MessagesController {
  constructor(private readonly commands: CommandBus) {}

  @Post()
  @HttpCode(200)
  async send(@Body() parameters: SendMessageParameters) {
    return { result: 'success', msg: '', id: await this.commands.execute(new SendMessage(parameters)) };
  }
}

@Module({ imports: [CqrsModule.forRoot()], controllers: [MessagesController], providers: [SendMessageHandler] })
class YardstickModule {}

const app = await NestFactory.create(YardstickModule, new FastifyAdapter(), { logger: ['error', 'warn'] });
app.setGlobalPrefix('api/v1');
app.useGlobalPipes(new ValidationPipe({ transform: true }));
await app.listen(Number(process.argv[2]), '127.0.0.1');
