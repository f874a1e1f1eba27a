package rpcutil

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"sync"

	"google.golang.org/grpc/test/bufconn"
)

const pipeBytes = 1 << 16

var (
	listenersLock sync.Mutex
	listeners     = map[int]*memoryListener{}
	lastPort      int
)

// memoryListener is in memory: a bubble of virtual time is never idle while a goroutine of it waits for a socket.
type memoryListener struct {
	*bufconn.Listener
	port int
}

func listenInMemory(port int) *memoryListener {
	listenersLock.Lock()
	defer listenersLock.Unlock()
	if port == 0 {
		lastPort++
		port = lastPort
	}
	listener := &memoryListener{bufconn.Listen(pipeBytes), port}
	listeners[port] = listener
	return listener
}

func (l *memoryListener) Addr() net.Addr {
	return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: l.port}
}

func (l *memoryListener) Close() error {
	listenersLock.Lock()
	delete(listeners, l.port)
	listenersLock.Unlock()
	return l.Listener.Close()
}

// DialInMemory connects to a server of this process by its address.
func DialInMemory(ctx context.Context, address string) (net.Conn, error) {
	_, text, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	port, err := strconv.Atoi(text)
	if err != nil {
		return nil, err
	}
	listenersLock.Lock()
	listener, ok := listeners[port]
	listenersLock.Unlock()
	if !ok {
		return nil, fmt.Errorf("nothing listens at %s", address)
	}
	return listener.DialContext(ctx)
}
