package main

import (
	"encoding/json"
)

// command is a line that the box is given. One of its fields is set.
type command struct {
	Start  *start  `json:"start"`
	Answer *answer `json:"answer"`
	// Cancel asks the engine to end the run of that number, as Ctrl-C does.
	Cancel *int `json:"cancel"`
	// Kill ends it at once: no call is answered, and nothing is saved any more.
	Kill *int `json:"kill"`
}

// start begins a run of the engine.
type start struct {
	Run int `json:"run"`
	// What is one of: update, preview, refresh, destroy, import.
	What    string            `json:"what"`
	Stack   string            `json:"stack"`
	Config  map[string]string `json:"config"`
	State   json.RawMessage   `json:"state"`
	Program []registration    `json:"program"`
	Imports []imported        `json:"imports"`
	Options options           `json:"options"`
	// Seed decides the order of deletions that do not wait for each other.
	Seed uint64 `json:"seed"`
	// Broken is where the run is broken off.
	Broken broken `json:"broken"`
}

type options struct {
	Parallel          int32    `json:"parallel"`
	Targets           []string `json:"targets"`
	TargetDependents  bool     `json:"targetDependents"`
	Excludes          []string `json:"excludes"`
	ExcludeDependents bool     `json:"excludeDependents"`
	Replace           []string `json:"replace"`
	ContinueOnError   bool     `json:"continueOnError"`
	Refresh           bool     `json:"refresh"`
	RunProgram        bool     `json:"runProgram"`
	// IsOldSDK says that the program takes a registration that failed for one that succeeded where there is an id.
	IsOldSDK bool `json:"isOldSdk"`
}

// broken counts changes of the state, from 0 on. What is nil does not happen.
type broken struct {
	// Begun stops it for good when so many changes have been begun and noted as such.
	Begun *int `json:"begun"`
	// Recorded stops it for good when so many changes are in the state.
	Recorded *int `json:"recorded"`
	// Unsaved makes that no more than so many changes can be saved.
	Unsaved *int `json:"unsaved"`
}

// registration is what a program says of a resource.
type registration struct {
	// Request is a RegisterResourceRequest. The engine's stack becomes the parent where it names none.
	Request json.RawMessage `json:"request"`
	// After holds the places, in the program, of those that it waits for.
	After []int `json:"after"`
	// Awaits is the place of what the program waits for: without that, it fails.
	Awaits *int `json:"awaits"`
	// Provider is the place of its explicit provider in the program.
	Provider *int `json:"provider"`
	// Refs holds inputs that are the output `name` of those in these places.
	Refs map[string]int `json:"refs"`
}

type imported struct {
	Type    string          `json:"type"`
	Name    string          `json:"name"`
	ID      string          `json:"id"`
	Inputs  json.RawMessage `json:"inputs"`
	Outputs json.RawMessage `json:"outputs"`
}

// answer is what a provider answers to a call.
type answer struct {
	Call   int             `json:"call"`
	Result json.RawMessage `json:"result"`
	// Message is what a plugin answers, in bytes, instead of a result.
	Message []byte   `json:"message"`
	Error   *failure `json:"error"`
}

type failure struct {
	Message string `json:"message"`
	// ID is given where something was made all the same.
	ID         string          `json:"id"`
	Properties json.RawMessage `json:"properties"`
	Reasons    []string        `json:"reasons"`
	// Code, and Status with its details, if there are any, are what a plugin refuses with.
	Code   uint32 `json:"code"`
	Status []byte `json:"status"`
}

// event is something that a run did. All of them since the last command stand in one line.
type event struct {
	Run  int    `json:"run"`
	Kind string `json:"kind"`
	// Process is the number of a provider's process.
	Process int `json:"process,omitempty"`
	// IsPlugin says that it is one of a plugin, which is yet to be configured.
	IsPlugin bool `json:"isPlugin,omitempty"`
	// Config is what a process of dynamic resources is configured with.
	Config json.RawMessage `json:"config,omitempty"`
	// Call is the number of a call, which is to be answered.
	Call   int             `json:"call,omitempty"`
	Method string          `json:"method,omitempty"`
	Op     string          `json:"op,omitempty"`
	URN    string          `json:"urn,omitempty"`
	ID     string          `json:"id,omitempty"`
	Olds   json.RawMessage `json:"olds,omitempty"`
	News   json.RawMessage `json:"news,omitempty"`
	// Message is what a plugin is asked, in bytes.
	Message []byte `json:"message,omitempty"`
	// Saved says whether a change is in what is left of the state, whatever comes.
	Saved bool `json:"saved,omitempty"`
	// IsPartial says that not all of a change has been done.
	IsPartial bool   `json:"isPartial,omitempty"`
	Result    string `json:"result,omitempty"`
	// The mark of a resource, as its outputs tell the program.
	Mark   string          `json:"mark,omitempty"`
	Errors []string        `json:"errors,omitempty"`
	State  json.RawMessage `json:"state,omitempty"`

	op *operation
}

// key is what the order of events is drawn by. Ids would not do: some are another in each run.
func (e event) key() string {
	return e.Method + " " + e.URN
}
