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
  async echo(port, size, count) {
    const message = 'x'.repeat(size);
    const seconds = [];
    let sent = performance.now();
    await run('/echo', port, message, (socket) => {
      seconds.push((performance.now() - sent) / 1000);
      if (seconds.length > count) return true;
      sent = performance.now();
      socket.send(message);
    });
    // The first one is not measured from its sending.
    return seconds.slice(1).sort((a, b) => a - b)[count >> 1] * count;
  },
  push: (port, size, count) => run('/push', port, `${size} ${count}`, () => --count === 0),
};

for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...numbers] = line.split(' ');
  console.log(await commands[name](...numbers.map(Number)));
}
process.exit(0);
