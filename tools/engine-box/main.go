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
	"sync"
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
	out *json.Encoder
	// One processor does not keep goroutines apart: each may be stopped anywhere for another.
	lock   sync.Mutex
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
		if err := b.out.Encode(b.mixed()); err != nil {
			return err
		}
	}
	return lines.Err()
}

func (b *box) obey(given command) error {
	switch {
	case given.Start != nil:
		b.begin(given.Start)
	case given.Answer != nil:
		waiting := b.answered(given.Answer.Call)
		if waiting == nil {
			return fmt.Errorf("nobody waits for the answer to call %d", given.Answer.Call)
		}
		waiting <- *given.Answer
	case given.Cancel != nil:
		// It may have ended by then.
		if run := b.run(*given.Cancel); run != nil {
			run.cancel()
		}
	case given.Kill != nil:
		if run := b.run(*given.Kill); run != nil {
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

// mixed is what happened since it was last asked, in an order that is drawn for what happened at the same time. The program hears nothing after the end, and where that is not a good one, it
// may be gone before it hears of the last.
func (b *box) mixed() []event {
	b.lock.Lock()
	defer b.lock.Unlock()
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
	b.events = nil
	mixed := []event{}
	for _, sort := range order {
		mixed = append(mixed, sorts[sort]...)
	}
	return mixed
}

func (b *box) tell(told event) {
	b.lock.Lock()
	defer b.lock.Unlock()
	b.events = append(b.events, told)
}

func (b *box) next() int {
	b.lock.Lock()
	defer b.lock.Unlock()
	b.number++
	return b.number
}

func (b *box) begin(given *start) {
	b.lock.Lock()
	defer b.lock.Unlock()
	b.runs[given.Run] = begin(b, given)
}

// run is nil when it has ended.
func (b *box) run(number int) *operation {
	b.lock.Lock()
	defer b.lock.Unlock()
	return b.runs[number]
}

func (b *box) ended(number int) {
	b.lock.Lock()
	defer b.lock.Unlock()
	delete(b.runs, number)
}

// asked is where the answer to a call is waited for.
func (b *box) asked(call int) chan answer {
	b.lock.Lock()
	defer b.lock.Unlock()
	waiting := make(chan answer, 1)
	b.calls[call] = waiting
	return waiting
}

// answered is where the answer to a call is waited for, if it is.
func (b *box) answered(call int) chan answer {
	b.lock.Lock()
	defer b.lock.Unlock()
	waiting := b.calls[call]
	delete(b.calls, call)
	return waiting
}
