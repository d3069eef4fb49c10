// Peer of the socket benchmarks: Node's own WebSocket, driven by lines on standard input as peers.py.
import { createInterface } from 'node:readline';

function run(path, port, first, onMessage) {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`);
    let start;
    socket.onerror = () => reject(new Error('socket failed'));
    socket.onopen = () => {
      start = performance.now();
      socket.send(first);
    };
    socket.onmessage = (event) => {
      if (onMessage(socket, event.data)) {
        resolve((performance.now() - start) / 1000);
        socket.close();
      }
    };
  });
}

const commands = {
  echo(port, size, count) {
    const message = 'x'.repeat(size);
    return run('/echo', port, message, (socket) => {
      if (--count === 0) return true;
      socket.send(message);
    });
  },
  push: (port, size, count) => run('/push', port, `${size} ${count}`, () => --count === 0),
};

for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...numbers] = line.split(' ');
  console.log(await commands[name](...numbers.map(Number)));
}
process.exit(0);
