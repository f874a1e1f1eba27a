// The box runs Pulumi's engine in virtual time, in lockstep with a process that plays its providers. Each line of the input is a
// command, and is answered by one line: all that the engine did until it had nothing more to do.
package main

import (
	"bufio"
	"cmp"
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

// order is that of what happened at the same time, where the engine leaves it to chance: processes begin, things are recorded, and
// told in a preview, the program hears of them, the run ends, and calls are made.
var order = []string{"process", "", "planned", "registered", "end", "call"}

// mix draws the order of what happened at the same time. The program hears nothing after the end, and where that is not a good one, it
// may be gone before it hears of the last.
func (b *box) mix() {
	sorts := map[string][]event{}
	for _, each := range b.events {
		sort := each.Kind
		if !slices.Contains(order, sort) {
			sort = ""
		}
		if len(sorts["end"]) > 0 {
			sort = "end"
		}
		sorts[sort] = append(sorts[sort], each)
	}
	for _, sort := range []string{"process", "registered", "call"} {
		slices.SortStableFunc(sorts[sort], func(one, other event) int {
			return cmp.Or(
				cmp.Compare(one.op.drawn(one.key()), other.op.drawn(other.key())),
				strings.Compare(one.key(), other.key()),
			)
		})
	}
	if last := sorts["end"]; len(last) > 0 && len(last[0].Errors) > 0 && last[0].op.drawn("heard")%2 == 0 {
		sorts["registered"] = nil
	}
	b.events = []event{}
	for _, sort := range order {
		b.events = append(b.events, sorts[sort]...)
	}
}

// tell is called by one goroutine at a time: the box has one processor, and telling does not wait.
func (b *box) tell(told event) {
	b.events = append(b.events, told)
}

func (b *box) next() int {
	b.number++
	return b.number
}
