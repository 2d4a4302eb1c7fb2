"""Sends, reads and polls by a client that is made from the description. Prints what it got, as JSON."""

import base64
import json
import os
from concurrent.futures import ThreadPoolExecutor

from annals_client.api.messages import get_message, get_messages, send_message
from annals_client.api.real_time_events import get_events, register_queue
from annals_client.client import AuthenticatedClient
from annals_client.models import Error, MessageEvent, RegisterQueueParameters, SendMessageParameters
from annals_client.models import SendMessageParametersType

credentials = f"{os.environ['ANNALS_EMAIL']}:{os.environ['ANNALS_KEY']}"
client = AuthenticatedClient(
    base_url=os.environ["ANNALS_API"],
    prefix="Basic",
    token=base64.b64encode(credentials.encode()).decode(),
    timeout=None,
)


def done(answer):
    """The answer of a request that must succeed."""
    assert answer is not None and not isinstance(answer, Error), answer
    return answer


options = RegisterQueueParameters(event_types=["message"], apply_markdown=False)
registered = done(register_queue.sync(client=client, body=options))
last = registered.last_event_id


def send(content: str, key: str) -> int:
    message = SendMessageParameters(
        type_=SendMessageParametersType.CHANNEL, to="general", topic="clients", content=content
    )
    return done(send_message.sync(client=client, body=message, idempotency_key=key)).id


def poll():
    """Waits for the next message of the queue."""
    global last
    while True:
        answer = done(get_events.sync(client=client, queue_id=registered.queue_id, last_event_id=last))
        for event in answer.events:
            last = event.id
            if isinstance(event, MessageEvent):
                return event.message


first = send("first", "once")
again = send("first", "once")
narrow = json.dumps([{"operator": "topic", "operand": "clients"}])
page = done(
    get_messages.sync(
        client=client, anchor="newest", num_before=10, num_after=0, apply_markdown=False, narrow=narrow
    )
)
told = poll()

with ThreadPoolExecutor() as threads:
    waiting = threads.submit(poll)
    second = send("second", "twice")
    awaited = waiting.result()

refused = get_message.sync(1_000_000, client=client)
assert isinstance(refused, Error), refused

print(
    json.dumps(
        {
            "ids": [first, again, second],
            "read": [[message.id, message.content] for message in page.messages],
            "polled": [[message.id, message.content] for message in (told, awaited)],
            "code": refused.code,
        }
    )
)
