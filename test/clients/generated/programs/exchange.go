// Sends, reads and polls by a client that is made from the description. Prints what it got, as JSON.
package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"

	"example.org/exchange/api"
)

var (
	background = context.Background()
	client     *api.ClientWithResponses
	queue      string
	last       int
)

type pair [2]any

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// must fails unless a request has succeeded.
func must[T any](answer *T, body []byte) *T {
	if answer == nil {
		panic(string(body))
	}
	return answer
}

func with[T any](value T) *T { return &value }

func send(content, key string) int {
	answer, err := client.SendMessageWithResponse(background, &api.SendMessageParams{IdempotencyKey: &key},
		api.SendMessageParameters{Type: "channel", To: "general", Topic: with("clients"), Content: content})
	check(err)
	return must(answer.JSON200, answer.Body).Id
}

// poll waits for the next message of the queue.
func poll() pair {
	for {
		answer, err := client.GetEventsWithResponse(background, &api.GetEventsParams{QueueId: queue, LastEventId: &last})
		check(err)
		for _, event := range *must(answer.JSON200, answer.Body).Events {
			told, err := event.AsMessageEvent()
			check(err)
			last = *told.Id
			if *told.Type == "message" {
				return pair{*told.Message.Id, *told.Message.Content}
			}
		}
	}
}

func main() {
	authorized := func(_ context.Context, request *http.Request) error {
		request.SetBasicAuth(os.Getenv("ANNALS_EMAIL"), os.Getenv("ANNALS_KEY"))
		return nil
	}
	var err error
	client, err = api.NewClientWithResponses(os.Getenv("ANNALS_API"), api.WithRequestEditorFn(authorized))
	check(err)

	registering, err := client.RegisterQueueWithResponse(background, api.RegisterQueueParameters{
		EventTypes: &[]string{"message"}, ApplyMarkdown: with(false)})
	check(err)
	registered := must(registering.JSON200, registering.Body)
	queue, last = *registered.QueueId, *registered.LastEventId

	first := send("first", "once")
	again := send("first", "once")
	reading, err := client.GetMessagesWithResponse(background, &api.GetMessagesParams{
		Anchor: with("newest"), NumBefore: with(10), NumAfter: with(0), ApplyMarkdown: with(false),
		Narrow: with(`[{"operator":"topic","operand":"clients"}]`)})
	check(err)
	var read []pair
	for _, message := range must(reading.JSON200, reading.Body).Messages {
		read = append(read, pair{*message.Id, *message.Content})
	}
	told := poll()

	waiting := make(chan pair)
	go func() { waiting <- poll() }()
	second := send("second", "twice")
	awaited := <-waiting

	refused, err := client.GetMessageWithResponse(background, 1_000_000, &api.GetMessageParams{})
	check(err)

	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"ids": []int{first, again, second}, "read": read, "polled": []pair{told, awaited},
		"code": must(refused.JSON400, refused.Body).Code}))
}
