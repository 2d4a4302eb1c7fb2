"""Calls every public method of the Python client and checks each answer. Ends with code 1 at the first answer that differs.

Usage: methods.py OWNER_ZULIPRC
"""

import inspect
import io
import struct
import sys
import threading
import zlib
from typing import Any, Callable, Dict, List, Set

import zulip

# No requests of their own: what the others are made of.
WITHOUT_REQUEST = {"call_endpoint", "do_api_query", "ensure_session", "get_user_agent"}

client = zulip.Client(config_file=sys.argv[1])
called: Set[str] = set()


# What these methods send although the path says it under another name: the server ignores it.
REDUNDANT = {"get_subscribers": ["stream"], "update_user_group": ["group_id"]}


def call(method: str, /, *args: Any, **kwargs: Any) -> Dict[str, Any]:
    """Calls a method. The server must take all of its parameters."""
    called.add(method)
    answer = getattr(client, method)(*args, **kwargs)
    assert answer["result"] == "success", f"{method}{args}{kwargs}: {answer}"
    ignored = answer.get("ignored_parameters_unsupported", [])
    assert ignored == REDUNDANT.get(method, []), f"{method} has parameters that are ignored: {ignored}"
    return answer


def refused(method: str, code: str, /, *args: Any, **kwargs: Any) -> None:
    called.add(method)
    answer = getattr(client, method)(*args, **kwargs)
    assert (answer["result"], answer.get("code")) == ("error", code), f"{method}: {answer}"


def png() -> io.BytesIO:
    """A red picture of 2 x 2 pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    pixels = zlib.compress(b"".join(b"\0" + b"\xff\0\0" * 2 for _ in range(2)))
    header = struct.pack(">IIBBBBB", 2, 2, 8, 2, 0, 0, 0)
    file = io.BytesIO(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b""))
    file.name = "red.png"
    return file


def people() -> None:
    me = call("get_profile")
    made = call("create_user", {"email": "grace@example.com", "full_name": "Grace", "password": "correct horse"})
    grace = made["user_id"]
    assert call("get_user_by_id", grace)["user"]["full_name"] == "Grace"
    call("update_user_by_id", grace, full_name="Grace Hopper")
    names = [member["full_name"] for member in call("get_members")["members"]]
    assert "Grace Hopper" in names and len(call("get_users")["members"]) == len(names)
    call("deactivate_user_by_id", grace)
    assert call("get_user_by_id", grace)["user"]["is_active"] is False
    call("reactivate_user_by_id", grace)

    call("update_presence", {"status": "active", "new_user_input": True, "ping_only": False})
    assert me["email"] in call("get_realm_presence")["presences"]
    assert call("get_user_presence", me["email"])["presence"]["aggregated"]["status"] == "active"

    call("add_alert_words", ["engine"])
    assert call("get_alert_words")["alert_words"] == ["engine"]
    assert call("remove_alert_words", ["engine"])["alert_words"] == []
    call("update_notification_settings", {"enable_sounds": True})

    call("create_user_group", {"name": "hackers", "description": "who hack", "members": [me["user_id"]]})
    [group] = [group for group in call("get_user_groups")["user_groups"] if group["name"] == "hackers"]
    call("update_user_group", {"group_id": group["id"], "description": "who program"})
    call("update_user_group_members", group["id"], {"add": [grace]})
    call("remove_user_group", group["id"])


def channels() -> int:
    call("add_subscriptions", [{"name": "engines", "description": "of all kinds"}])
    channel = call("get_stream_id", "engines")["stream_id"]
    me = call("get_profile")["user_id"]
    assert "engines" in [stream["name"] for stream in call("get_streams")["streams"]]
    assert "engines" in [stream["name"] for stream in call("get_subscriptions")["subscriptions"]]
    assert len(call("list_subscriptions")["subscriptions"]) == len(call("get_subscriptions")["subscriptions"])
    assert call("get_subscribers", stream="engines")["subscribers"] == [me]
    assert call("get_subscription_status", me, channel)["is_subscribed"] is True
    assert call("get_stream_email_address", channel)["email"] == "", "the server receives no mail"
    call("update_subscription_settings", [{"stream_id": channel, "property": "color", "value": "#00ff00"}])
    call("update_stream", {"stream_id": channel, "description": "of two kinds"})
    call("add_default_stream", channel)
    call("add_subscriptions", [{"name": "short-lived"}])
    call("remove_subscriptions", ["short-lived"])
    call("delete_stream", call("get_stream_id", "short-lived")["stream_id"])
    return channel


def messages(channel: int) -> None:
    def send(topic: str, content: str) -> int:
        return call("send_message", {"type": "stream", "to": "engines", "topic": topic, "content": content})["id"]

    first = send("first", "one **engine**")
    narrow = [{"operator": "channel", "operand": "engines"}, {"operator": "topic", "operand": "first"}]
    page = call("get_messages", {"anchor": "newest", "num_before": 10, "num_after": 0, "narrow": narrow})
    assert [message["id"] for message in page["messages"]] == [first]
    assert page["messages"][0]["content"] == "<p>one <strong>engine</strong></p>"
    assert call("get_raw_message", first)["raw_content"] == "one **engine**"
    assert str(first) in call("check_messages_match_narrow", msg_ids=[first], narrow=narrow)["messages"]
    assert "<em>" in call("render_message", {"content": "*italic*"})["rendered"]

    call("update_message", {"message_id": first, "content": "two engines"})
    assert len(call("get_message_history", first)["message_history"]) == 2
    call("add_reaction", {"message_id": first, "emoji_name": "octopus"})
    call("remove_reaction", {"message_id": first, "emoji_name": "octopus"})
    call("update_message_flags", {"messages": [first], "op": "add", "flag": "starred"})
    call("mark_topic_as_read", channel, "first")
    call("mark_stream_as_read", channel)
    call("mark_all_as_read")
    call("mute_topic", {"stream": "engines", "topic": "first", "op": "add"})
    assert [topic["name"] for topic in call("get_stream_topics", channel)["topics"]] == ["first"]
    call("move_topic", "engines", "general", "first", "moved")
    assert call("get_raw_message", first)["message"]["subject"] == "moved"
    call("delete_message", send("second", "soon gone"))
    call("set_typing_status", {"op": "start", "type": "direct", "to": [call("get_profile")["user_id"]]})

    call("upload_file", png())
    assert call("get_attachments")["attachments"][0]["name"] == "red.png"


def organization() -> None:
    assert call("get_server_settings")["zulip_feature_level"] == 421
    call("upload_custom_emoji", "red", png())
    assert [emoji["name"] for emoji in call("get_realm_emoji")["emoji"].values()] == ["red"]
    call("delete_custom_emoji", "red")

    linkifier = call("add_realm_filter", "#(?P<id>[0-9]+)", "https://example.com/{id}")["id"]
    assert [known["id"] for known in call("get_realm_linkifiers")["linkifiers"]] == [linkifier]
    call("remove_realm_filter", linkifier)

    field = call("create_realm_profile_field", name="Phone", hint="", field_type=1)["id"]
    call("update_realm_profile_field", field, name="Telephone")
    order = [known["id"] for known in call("get_realm_profile_fields")["custom_fields"]]
    call("reorder_realm_profile_fields", order=str(order))
    call("remove_realm_profile_field", field)

    call("update_storage", {"storage": {"number": "1"}})
    assert call("get_storage")["storage"] == {"number": "1"}


def queues() -> None:
    queue = call("register", event_types=["message"])
    sent = call("send_message", {"type": "private", "to": [call("get_profile")["email"]], "content": "to myself"})
    events = call("get_events", queue_id=queue["queue_id"], last_event_id=-1, dont_block=True)["events"]
    assert [event["message"]["id"] for event in events if event["type"] == "message"] == [sent["id"]]
    call("deregister", queue["queue_id"])
    refused("get_events", "BAD_EVENT_QUEUE_ID", queue_id=queue["queue_id"], last_event_id=-1, dont_block=True)

    for name in ("call_on_each_event", "call_on_each_message"):
        listen(name)


class Enough(Exception):
    """Ends a loop that has no other end."""


def listen(name: str) -> None:
    """Sends once the loop's queue is there: its callback gets the message."""
    called.add(name)
    queue_is_there = threading.Event()
    listener = zulip.Client(config_file=sys.argv[1])
    register = listener.register

    def registered(*args: Any, **kwargs: Any) -> Dict[str, Any]:
        answer = register(*args, **kwargs)
        queue_is_there.set()
        return answer

    listener.register = registered  # type: ignore[method-assign]
    heard: List[str] = []

    def hear(given: Dict[str, Any]) -> None:
        message = given.get("message", given)
        heard.append(message["content"])
        raise Enough

    def run() -> None:
        try:
            getattr(listener, name)(hear)
        except Enough:
            pass

    loop = threading.Thread(target=run, daemon=True)
    loop.start()
    assert queue_is_there.wait(60), f"{name} did not register"
    call("send_message", {"type": "stream", "to": "general", "topic": "loops", "content": name})
    loop.join(60)
    assert heard == [name], f"{name} heard {heard}"


def all_methods() -> Set[str]:
    return {name for name, _ in inspect.getmembers(zulip.Client, inspect.isfunction) if not name.startswith("_")}


parts: List[Callable[[], None]] = [people, lambda: messages(channels()), organization, queues]
for part in parts:
    part()
missing = all_methods() - called - WITHOUT_REQUEST
assert not missing, f"not called: {sorted(missing)}"
print(f"{len(called)} methods answered")
