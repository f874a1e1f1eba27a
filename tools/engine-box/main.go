// The box runs Pulumi's engine in virtual time, in lockstep with a process that plays its providers. Each line of the input is a
// command, and is answered by one line: all that the engine did until it had nothing more to do.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

const mostLineBytes = 64 << 20

// patience is how long the engine's own timers may take after a command. It is virtual.
const patience = time.Minute

func main() {
	runtime.GOMAXPROCS(1)
	// A bubble needs a test to stand in.
	os.Args = os.Args[:1]
	matches := func(_, _ string) (bool, error) { return true, nil }
	testing.Main(matches, []testing.InternalTest{{Name: "box", F: inBubble}}, nil, nil)
}

func inBubble(t *testing.T) {
	synctest.Test(t, func(*testing.T) {
		if err := newBox(os.Stdout).serve(os.Stdin); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		// What still waits in the bubble would be a failure of the test.
		os.Exit(0)
	})
}

// box holds the runs of the engine that are under way.
type box struct {
	out    *json.Encoder
	runs   map[int]*operation
	calls  map[int]chan answer
	events []event
	number int
}

func newBox(out io.Writer) *box {
	return &box{out: json.NewEncoder(out), runs: map[int]*operation{}, calls: map[int]chan answer{}}
}

func (b *box) serve(in io.Reader) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, mostLineBytes)
	for lines.Scan() {
		var given command
		if err := json.Unmarshal(lines.Bytes(), &given); err != nil {
			return err
		}
		if err := b.obey(given); err != nil {
			return err
		}
		// The others go on while this goroutine sleeps, and the time passes when all of them wait.
		time.Sleep(patience)
		synctest.Wait()
		b.mix()
		if err := b.out.Encode(b.events); err != nil {
			return err
		}
		b.events = nil
	}
	return lines.Err()
}

func (b *box) obey(given command) error {
	switch {
	case given.Start != nil:
		b.runs[given.Start.Run] = begin(b, given.Start)
	case given.Answer != nil:
		waiting, ok := b.calls[given.Answer.Call]
		if !ok {
			return fmt.Errorf("nobody waits for the answer to call %d", given.Answer.Call)
		}
		delete(b.calls, given.Answer.Call)
		waiting <- *given.Answer
	case given.Cancel != nil:
		// It may have ended by then.
		if run, ok := b.runs[*given.Cancel]; ok {
			run.cancel()
		}
	case given.Kill != nil:
		if run, ok := b.runs[*given.Kill]; ok {
			run.kill()
		}
	default:
		return errors.New("a command is empty")
	}
	return nil
}

// mix draws the order of calls that were made at the same time, which the engine leaves to chance. What else happened then comes
// before them: they may follow from it.
func (b *box) mix() {
	mixed := []event{}
	for len(b.events) > 0 {
		end := 1
		for end < len(b.events) && b.events[end].at.Equal(b.events[0].at) {
			end++
		}
		calls := []event{}
		for _, each := range b.events[:end] {
			if each.Kind == "call" {
				calls = append(calls, each)
			} else {
				mixed = append(mixed, each)
			}
		}
		slices.SortFunc(calls, func(one, other event) int { return strings.Compare(one.key(), other.key()) })
		if len(calls) > 1 {
			calls[0].op.chance.Shuffle(len(calls), func(one, other int) {
				calls[one], calls[other] = calls[other], calls[one]
			})
		}
		mixed = append(mixed, calls...)
		b.events = b.events[end:]
	}
	b.events = mixed
}

// tell is called by one goroutine at a time: the box has one processor, and telling does not wait.
func (b *box) tell(told event) {
	told.at = time.Now()
	b.events = append(b.events, told)
}

func (b *box) next() int {
	b.number++
	return b.number
}
